/** What the service knows of one chat, as it is kept in the chat's own metadata. */

const KEY = 'memory37';

/** One line of talk: a conversation, or a branch of one. */
export class Line {
    /** @param {object} metadata SillyTavern's `chatMetadata`  @param {() => void} save */
    constructor(metadata, save) {
        this.metadata = metadata;
        this.save = save;
        const kept = metadata[KEY] ?? {};
        this.chatId = kept.chat_id ?? null;
        this.conversationId = kept.conversation_id ?? null;
        this.sharedTo = kept.shared_to ?? 0;
        this.bookRev = kept.book_rev ?? 0; // of the lorebook that this chat has of the service
        this.lastSeq = kept.last_seq ?? 0; // also of messages that were removed since: nothing takes their place
        this.places = (kept.places ?? []).map(([id, seq, role, digest, others]) => ({
            id,
            seq,
            role: role === 'u' ? 'user' : 'assistant',
            digest,
            others: others ?? {},
        }));
    }

    /** Adds a message that the service has stored. */
    add({ id, seq, role, digest }) {
        this.places.push({ id, seq, role, digest, others: {} });
        this.lastSeq = Math.max(this.lastSeq, seq);
    }

    /** Writes it into the chat's metadata, a short row a message: long chats have thousands. */
    keep() {
        this.metadata[KEY] = {
            chat_id: this.chatId,
            conversation_id: this.conversationId,
            shared_to: this.sharedTo,
            last_seq: this.lastSeq,
            book_rev: this.bookRev,
            places: this.places.map(({ id, seq, role, digest, others }) => [id, seq, role[0], digest, others]),
        };
        this.save();
    }

    /** Begins anew in another conversation, with the first places of this one. */
    moveTo(conversationId, kept = 0) {
        this.conversationId = conversationId;
        this.places = this.places.slice(0, kept);
        this.sharedTo = this.places.reduce((most, place) => Math.max(most, place.seq), 0);
        this.lastSeq = this.sharedTo;
        this.bookRev = 0;
        this.keep();
    }
}
