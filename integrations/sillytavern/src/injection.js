/** What the service remembers for a turn, and where it goes into SillyTavern's prompt. */

const PROMPT_KEY = 'memory37';
/** The layers of a pack that a chat in SillyTavern has already: its talk, its character and its system prompt. */
const LEFT_OUT = ['system', 'talk', 'npc', 'pending'];

/**
 * @param {{message: string, userId: string, conversationId: number|null, npcId: string, tokens: number}} turn
 * @returns {object} the body of `POST context`
 */
export function buildContextBody({ message, userId, conversationId, npcId, tokens }) {
    return {
        content: message.slice(0, 32_000),
        user_id: userId,
        ...(conversationId === null ? {} : { conversation_id: conversationId }),
        ...(npcId ? { npc_id: npcId } : {}),
        budget: { total: tokens, layers: Object.fromEntries(LEFT_OUT.map((layer) => [layer, { max_tokens: 0, min_tokens: 0 }])) },
    };
}

/** The text to inject: what the service tells a model as system, without the player's own words. */
export function readPackText(pack) {
    return pack.messages
        .filter((message) => message.role === 'system')
        .map((message) => message.content.trim())
        .filter((text) => text !== '')
        .join('\n\n');
}

/** @param {object} context SillyTavern's  @param {string} text empty: nothing is injected  @param {{position: number, depth: number, role: number}} place */
export function inject(context, text, { position, depth, role }) {
    context.setExtensionPrompt(PROMPT_KEY, text, position, depth, false, role);
}
