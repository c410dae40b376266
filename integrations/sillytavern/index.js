/**
 * Memory37 for SillyTavern, in the browser alone: it sends what is said, edited, swiped, branched and removed, and puts
 * what is remembered into the prompt. Where the service does not answer in time, SillyTavern goes on without it.
 */
import { readChat, cutAfterLastUserMessage } from './src/chat.js';
import { Client, ServiceError } from './src/client.js';
import { buildContextBody, inject, readPackText } from './src/injection.js';
import { Line } from './src/line.js';
import { Lorebook } from './src/lorebook.js';
import { Panel } from './src/panel.js';
import { findNpc, loadSettings } from './src/settings.js';
import { followCopy, readMissed, syncChat } from './src/sync.js';

/** Several events come for one change: so many milliseconds after the last of them it is told. */
const QUIET_MS = 400;
const RETRY_MS = 30_000;
/** Kinds of generation for which nothing is remembered: SillyTavern's own background prompts. */
const SILENT_TYPES = ['quiet'];

const context = () => globalThis.SillyTavern.getContext();
const settings = loadSettings(context().extensionSettings);
let panel;
let isGenerating = false;
let timer;
/** All that is told to the service is told one after the other. */
let queue = Promise.resolve();
let openedChat;
const lorebook = new Lorebook();

function isOn() {
    return settings.enabled && settings.url !== '' && settings.key !== '' && Boolean(context().getCurrentChatId());
}

function prepareWork({ onlyUntilUser }) {
    const st = context();
    const messages = readChat(st.chat);
    return {
        client: new Client(settings),
        line: new Line(st.chatMetadata, st.saveMetadataDebounced),
        messages: onlyUntilUser ? cutAfterLastUserMessage(messages) : messages,
        isGenerating: onlyUntilUser,
        st,
        who: { userId: st.substituteParams(settings.user_id).trim(), npcOf: (name) => findNpc(settings.npcs, name) },
        forgetsRemoved: settings.forgets_removed,
        log: (text) => panel.log(text),
    };
}

/** Tells the service what is new in the chat. Throws ServiceError. */
function sync({ onlyUntilUser = isGenerating } = {}) {
    const chatId = context().getCurrentChatId();
    const done = queue.then(async () => {
        if (!isOn() || context().getCurrentChatId() !== chatId) return;
        const work = prepareWork({ onlyUntilUser });
        if (openedChat !== chatId) {
            const isBranched = await followCopy(work, { chatId, copiedFrom: context().chatMetadata.main_chat });
            if (!isBranched) await readMissed(work);
            openedChat = chatId;
        }
        await syncChat(work);
        panel.setState(`${work.line.places.length} messages of this chat are known.`);
        if (settings.keeps_lorebook && !onlyUntilUser) await lorebook.pull(work);
    });
    queue = done.catch(() => {});
    return done;
}

function syncSoon(delay = QUIET_MS) {
    clearTimeout(timer);
    timer = setTimeout(() => {
        sync().catch((error) => {
            openedChat = undefined; // what the service has is read again before anything is sent twice
            panel.showError(error);
            if (error.isPassing) syncSoon(RETRY_MS);
        });
    }, delay);
}

/** What the player edited in the chat's lorebook goes to the service, and comes back as it stands there. */
function bringLorebook(name, book) {
    if (!isOn() || !settings.keeps_lorebook || !book) return;
    const chatId = context().getCurrentChatId();
    queue = queue
        .then(async () => {
            if (context().getCurrentChatId() !== chatId) return;
            const work = prepareWork({ onlyUntilUser: false });
            if (await lorebook.bring(work, name, book)) await lorebook.pull(work);
        })
        .catch((error) => panel.showError(error));
}

/** SillyTavern calls this before each prompt. It never throws, and never keeps the prompt longer than the limit. */
async function intercept(chat, _contextSize, _abort, type) {
    if (!isOn() || SILENT_TYPES.includes(type)) return;
    const limit = settings.timeout_seconds * 1000;
    inject(context(), '', settings);
    let timeout;
    try {
        const late = new Promise((_, refuse) => {
            timeout = setTimeout(() => refuse(new ServiceError('timeout', `No answer within ${settings.timeout_seconds} s: went on without memory.`)), limit);
        });
        await Promise.race([remember(chat, limit), late]);
    } catch (error) {
        panel.showPack('', 0);
        panel.showError(error);
    } finally {
        clearTimeout(timeout);
    }
}

async function remember(chat, limit) {
    const deadline = Date.now() + limit;
    await sync({ onlyUntilUser: true }).catch((error) => panel.showError(error));
    const said = cutAfterLastUserMessage(readChat(chat)).at(-1);
    if (!said) return;
    const work = prepareWork({ onlyUntilUser: true });
    const body = buildContextBody({
        message: said.text,
        userId: work.who.userId,
        conversationId: work.line.conversationId,
        npcId: findNpc(settings.npcs, context().name2),
        tokens: settings.tokens,
    });
    const pack = await work.client.call('POST', 'context', { body, timeout: Math.max(1, deadline - Date.now()) });
    if (Date.now() > deadline) return; // the prompt has gone out without it
    const text = readPackText(pack);
    inject(context(), text, settings);
    panel.showPack(text, pack.tokens);
}

/** Asks what takes a key with `read`, and what takes one with `engine`: both are needed. */
async function check() {
    const client = new Client(settings);
    const status = await client.call('GET', 'status');
    await client.call('GET', 'npcs?limit=1');
    await client.call('GET', 'traces?limit=1');
    return `Connected: Memory37 ${status.version ?? ''}`.trim();
}

async function start() {
    const st = context();
    const html = await (await fetch(new URL('./settings.html', import.meta.url))).text();
    document.getElementById('extensions_settings2')?.insertAdjacentHTML('beforeend', html);
    panel = new Panel(document, settings, { save: st.saveSettingsDebounced, check, sync: () => syncSoon(0) });
    const types = st.eventTypes ?? st.event_types;
    st.eventSource.on(types.GENERATION_STARTED, (_type, _options, isDryRun) => {
        if (!isDryRun) isGenerating = true;
    });
    for (const ended of [types.GENERATION_ENDED, types.GENERATION_STOPPED]) {
        st.eventSource.on(ended, () => {
            isGenerating = false;
            syncSoon();
        });
    }
    const changes = [
        types.MESSAGE_SENT,
        types.MESSAGE_RECEIVED,
        types.MESSAGE_EDITED,
        types.MESSAGE_UPDATED,
        types.MESSAGE_DELETED,
        types.MESSAGE_SWIPED,
        types.MESSAGE_SWIPE_DELETED,
    ];
    for (const change of changes.filter(Boolean)) {
        st.eventSource.on(change, () => syncSoon());
    }
    if (types.WORLDINFO_UPDATED) st.eventSource.on(types.WORLDINFO_UPDATED, bringLorebook);
    st.eventSource.on(types.CHAT_CHANGED, () => {
        isGenerating = false;
        openedChat = undefined;
        panel.showPack('', 0);
        inject(context(), '', settings);
        syncSoon();
    });
    if (settings.enabled) syncSoon();
}

globalThis.memory37Interceptor = intercept;
await start();
