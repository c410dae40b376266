/** What SillyTavern's chat holds, in the form that is compared with what the service knows. */
import { digest } from './digest.js';

/** SillyTavern's own placeholder while an answer is being made. */
const UNFINISHED = '...';

/**
 * The messages that count: no system notices, nothing empty, nothing unfinished.
 * @param {object[]} chat SillyTavern's array of messages
 * @returns {{role: 'user'|'assistant', name: string, text: string, digest: string, swipes: string[]}[]}
 */
export function readChat(chat) {
    return chat.filter(isSaid).map((message) => ({
        role: message.is_user ? 'user' : 'assistant',
        name: message.name ?? '',
        text: message.mes,
        digest: digest(message.mes),
        swipes: (message.swipes ?? []).filter((text) => typeof text === 'string').map(digest),
    }));
}

function isSaid(message) {
    const text = typeof message.mes === 'string' ? message.mes.trim() : '';
    return !message.is_system && text !== '' && text !== UNFINISHED;
}

/** The messages up to the player's last: while an answer is being made, what stands behind it is about to change. */
export function cutAfterLastUserMessage(messages) {
    const last = messages.findLastIndex((message) => message.role === 'user');
    return messages.slice(0, last + 1);
}
