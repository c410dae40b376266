/** The events of a chat as a lorebook in SillyTavern: read there, edited there, and brought back. */
import { digest } from './digest.js';

const MAX_NAME = 100;
/** Added to the uid of an entry of the player's own that an event takes: no chat has so many messages. */
const MOVED_FROM = 1_000_000_000;

/** @param {string} chatId @returns {string} the lorebook's name in SillyTavern */
export function nameBook(chatId) {
    return `Memory37 ${chatId}`.slice(0, MAX_NAME);
}

/** Whether an entry is that of an event. */
export function isOurs(entry) {
    return typeof entry?.extensions?.memory37?.event_id === 'string';
}

/**
 * The entries with what the service changed; those of the player stay, under another uid where an event takes theirs.
 * @param {Record<string, object>} entries @param {{entries: Record<string, object>, removed: string[]}} changes
 */
export function applyChanges(entries, { entries: changed, removed }) {
    const merged = { ...entries };
    for (const uid of removed) {
        if (isOurs(merged[uid])) delete merged[uid];
    }
    for (const [uid, entry] of Object.entries(changed)) {
        const other = merged[uid];
        if (other && !isOurs(other) && isOurs(entry)) {
            const free = freeUid(merged, uid);
            merged[free] = { ...other, uid: free };
        }
        merged[uid] = entry;
    }
    return merged;
}

function freeUid(entries, uid) {
    let free = MOVED_FROM + Number(uid);
    while (free in entries) free++;
    return free;
}

/** What SillyTavern has to offer for it: 1.12.7 and newer do. */
export function canKeepBook(st) {
    return typeof st.loadWorldInfo === 'function' && typeof st.saveWorldInfo === 'function';
}

/** The lorebook of one chat at a time. `written` is the fingerprint of what this page wrote last. */
export class Lorebook {
    constructor() {
        this.written = null;
    }

    /**
     * Takes over what changed at the service since the last time.
     * @param {{client: import('./client.js').Client, line: import('./line.js').Line, st: object, log: (text: string) => void}} work
     * @returns {Promise<boolean>} whether anything did. Throws ServiceError.
     */
    async pull({ client, line, st, log }) {
        if (line.conversationId === null || line.chatId === null || !canKeepBook(st)) return false;
        const query = `worldinfo?conversation_id=${line.conversationId}&since=${line.bookRev}`;
        const changes = await client.call('GET', query);
        if (changes.rev === line.bookRev) return false;
        const name = nameBook(line.chatId);
        const isNew = line.bookRev === 0;
        const book = (await st.loadWorldInfo(name)) ?? { entries: {} };
        const entries = applyChanges(book.entries ?? {}, changes);
        this.written = digest(JSON.stringify(entries));
        await st.saveWorldInfo(name, { ...book, entries }, true);
        line.bookRev = changes.rev;
        line.keep();
        if (isNew) await st.updateWorldInfoList?.();
        st.reloadWorldInfoEditor?.(name);
        log(`The lorebook "${name}" has ${Object.values(entries).filter(isOurs).length} events.`);
        return true;
    }

    /**
     * Brings back what the player edited in the lorebook; their words win.
     * @param {{client: import('./client.js').Client, line: import('./line.js').Line, log: (text: string) => void}} work
     * @param {string} name  @param {{entries: Record<string, object>}} book as SillyTavern saved it
     * @returns {Promise<boolean>} whether it was this chat's, and edited. Throws ServiceError.
     */
    async bring({ client, line, log }, name, book) {
        if (line.conversationId === null || line.chatId === null || name !== nameBook(line.chatId)) return false;
        const print = digest(JSON.stringify(book.entries ?? {}));
        if (print === this.written) return false;
        const body = { entries: book.entries ?? {} };
        const report = await client.call('POST', `worldinfo?conversation_id=${line.conversationId}`, { body });
        this.written = print;
        if (report.edited.length > 0) log(`${report.edited.length} events stand as you wrote them.`);
        if (report.proposed.length > 0) log('An event had changed meanwhile: your text stands in the lorebook and waits for a decision.');
        return true;
    }
}
