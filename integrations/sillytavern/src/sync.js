/** Tells the service what changed in a chat: messages, edits, swipes, branches, removals. */
import { digest } from './digest.js';
import { planSync } from './plan.js';

/** The service takes so many messages in one call. */
const BATCH = 200;
const PAGE = 200;

/**
 * Takes the steps that make the service know the chat as it is. Each step that is done is kept at once, so that a step
 * that fails is taken again the next time, and none twice.
 *
 * @param {{client: import('./client.js').Client, line: import('./line.js').Line, messages: object[], isGenerating: boolean,
 *     who: {userId: string, npcOf: (name: string) => string}, forgetsRemoved: boolean, log: (text: string) => void}} work
 * @returns {Promise<number>} how many steps were taken. Throws ServiceError.
 */
export async function syncChat(work) {
    const { line, messages, isGenerating } = work;
    if (line.conversationId === null) {
        if (messages.length === 0) return 0;
        line.moveTo((await openConversation(work)).id);
    }
    const steps = planSync(line.places, messages, { sharedTo: line.sharedTo, isGenerating });
    const removed = [];
    let posts = steps.filter((step) => step.kind === 'post').map((step) => step.message);
    try {
        for (const step of steps.filter((each) => each.kind !== 'post')) {
            await takeStep(work, step, removed);
        }
    } finally {
        line.places = line.places.filter((place) => !removed.includes(place));
        line.keep();
    }
    while (posts.length > 0) {
        await postMessages(work, posts.slice(0, BATCH));
        posts = posts.slice(BATCH);
    }
    return steps.length;
}

async function takeStep(work, step, removed) {
    const { client, line } = work;
    if (step.kind === 'branch') {
        await branch(work, line.places.slice(0, step.keep).filter((place) => !removed.includes(place)));
        return;
    }
    const place = line.places[step.place];
    if (step.kind === 'forget') {
        if (work.forgetsRemoved) {
            await client.call('POST', `messages/${place.id}/forget`, { repeatKey: `st-forget-${place.id}` });
            work.log('A removed message was forgotten.');
        }
        removed.push(place);
        return;
    }
    const answer = await change(client, line, place, step);
    place.others = { ...place.others, [place.digest]: place.id };
    delete place.others[step.message.digest];
    place.id = answer.message_id;
    place.digest = step.message.digest;
    line.keep();
    work.log(describeChange(step.kind, answer.changes));
}

function change(client, line, place, step) {
    if (step.kind === 'select') {
        return client.call('POST', `messages/${step.id}/select`);
    }
    const repeatKey = `st-${step.kind}-${place.id}-${step.message.digest}`;
    if (step.kind === 'swipe') {
        const body = { content: step.message.text, seq: place.seq };
        return client.call('POST', `conversations/${line.conversationId}/swipes`, { body, repeatKey });
    }
    return client.call('POST', `messages/${place.id}/edit`, { body: { content: step.message.text }, repeatKey });
}

async function branch(work, kept) {
    const { client, line } = work;
    line.places = kept;
    if (kept.length === 0) {
        line.moveTo((await openConversation(work)).id);
        return;
    }
    const seq = kept[kept.length - 1].seq;
    const opened = await client.call('POST', `conversations/${line.conversationId}/branch`, { body: { from_seq: seq } });
    line.moveTo(opened.id, kept.length);
    work.log('The talk went another way: it is a branch now.');
}

function openConversation({ client, who, messages }) {
    const answered = messages.find((message) => message.role === 'assistant');
    const npcId = answered ? who.npcOf(answered.name) : '';
    return client.call('POST', 'conversations', { body: { user_id: who.userId, ...(npcId ? { npc_id: npcId } : {}) } });
}

async function postMessages(work, messages) {
    const { client, line, who } = work;
    const start = line.lastSeq;
    const body = {
        messages: messages.map((message, index) => {
            const npcId = message.role === 'assistant' ? who.npcOf(message.name) : '';
            return {
                role: message.role,
                content: message.text,
                // A repeat of a call whose answer was lost gives the same messages.
                client_message_id: `st-${start}-${index}-${message.digest}`,
                ...(npcId ? { npc_id: npcId } : {}),
            };
        }),
    };
    const answer = await client.call('POST', `conversations/${line.conversationId}/messages/batch`, { body });
    answer.messages.forEach((stored, index) => {
        const { role, digest: print } = messages[index];
        line.add({ id: stored.message_id, seq: stored.seq, role, digest: print });
        for (const fact of stored.extraction?.facts ?? []) {
            work.log(`Remembered: ${fact.type}, ${fact.value}`);
        }
    });
    line.keep();
}

/**
 * What the service stored and this chat does not know of, because the page closed between the two.
 * @returns {Promise<number>} how many places were added. Throws ServiceError.
 */
export async function readMissed({ client, line }) {
    if (line.conversationId === null) return 0;
    let added = 0;
    let hasMore = true;
    while (hasMore) {
        const page = await client.call('GET', `conversations/${line.conversationId}/messages?after=${line.lastSeq}&limit=${PAGE}`);
        for (const { id, seq, role, content, forgotten_at: forgotten } of page.data) {
            if (role === 'system' || forgotten || seq <= line.lastSeq) continue;
            line.add({ id, seq, role, digest: digest(content) });
            added++;
        }
        hasMore = page.next_cursor !== null && added > 0;
    }
    if (added > 0) line.keep();
    return added;
}

/**
 * A chat that SillyTavern copied (its *branch* and *checkpoint*) becomes a branch here as well; one that was renamed
 * stays what it is.
 * @returns {Promise<boolean>} whether it became a branch. Throws ServiceError.
 */
export async function followCopy(work, { chatId, copiedFrom }) {
    const { line, messages } = work;
    if (line.chatId === chatId) return false;
    const isCopy = line.chatId !== null && copiedFrom === line.chatId;
    line.chatId = chatId;
    if (!isCopy || line.conversationId === null) {
        line.keep();
        return false;
    }
    let shared = 0;
    while (shared < Math.min(line.places.length, messages.length) && line.places[shared].digest === messages[shared].digest) {
        shared++;
    }
    await branch(work, line.places.slice(0, shared));
    return true;
}

function describeChange(kind, changes) {
    const said = { edit: 'An edit', swipe: 'A swipe', select: 'A choice' }[kind];
    const parts = [
        ...(changes?.facts_ended ?? []).map((fact) => `no longer known: ${fact.type}, ${fact.value}`),
        ...(changes?.facts_restored ?? []).map((fact) => `known again: ${fact.type}, ${fact.value}`),
        ...(changes?.facts_added ?? []).map((fact) => `remembered: ${fact.type}, ${fact.value}`),
    ];
    return parts.length > 0 ? `${said}: ${parts.join('; ')}` : `${said} was stored.`;
}
