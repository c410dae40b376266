/** The extension's settings, with what holds where nothing was set. */

export const MODULE = 'memory37';

const DEFAULTS = Object.freeze({
    enabled: false,
    url: 'http://127.0.0.1:8037',
    key: '',
    world: '',
    user_id: '{{user}}',
    npcs: '', // a line each: "Name of the character = npc_id"
    tokens: 1200,
    timeout_seconds: 3,
    position: 1, // SillyTavern's extension_prompt_types.IN_CHAT
    depth: 4,
    role: 0, // SillyTavern's extension_prompt_roles.SYSTEM
    forgets_removed: true,
    keeps_lorebook: true, // the chat's events as a lorebook, to be read and edited; SillyTavern uses it once it is chosen
});

/** @param {object} all SillyTavern's `extensionSettings`  @returns {typeof DEFAULTS} the live object: what is set in it is saved */
export function loadSettings(all) {
    all[MODULE] = { ...DEFAULTS, ...all[MODULE] };
    return all[MODULE];
}

/** The NPC's id for a character's name; empty where none is given. */
export function findNpc(lines, name) {
    for (const line of lines.split('\n')) {
        const split = line.lastIndexOf('=');
        if (split > 0 && line.slice(0, split).trim() === name) {
            return line.slice(split + 1).trim();
        }
    }
    return '';
}
