/** The panel under *Extensions*: settings, state, what was told last, what happened. */
import { ServiceError } from './client.js';

const MAX_LOG = 30;
const PREFIX = 'memory37_';

export class Panel {
    /** @param {Document} page  @param {object} settings  @param {{save: () => void, check: () => Promise<string>, sync: () => void}} actions */
    constructor(page, settings, { save, check, sync }) {
        this.page = page;
        for (const field of page.querySelectorAll('#memory37_panel [data-setting]')) {
            this.bind(field, settings, save);
        }
        this.find('check').addEventListener('click', async () => {
            this.setState('Asking …');
            try {
                this.setState(await check());
            } catch (error) {
                this.showError(error);
            }
        });
        this.find('sync').addEventListener('click', sync);
    }

    find(name) {
        return this.page.getElementById(PREFIX + name);
    }

    bind(field, settings, save) {
        const name = field.dataset.setting;
        const isFlag = field.type === 'checkbox';
        const isNumber = field.type === 'number' || field.dataset.kind === 'number';
        if (isFlag) field.checked = Boolean(settings[name]);
        else field.value = settings[name];
        field.addEventListener('change', () => {
            if (isNumber && !field.checkValidity()) {
                field.value = settings[name];
                return;
            }
            settings[name] = isFlag ? field.checked : isNumber ? Number(field.value) : field.value.trim();
            save();
        });
    }

    /** One line: whether all is well. */
    setState(text, isTrouble = false) {
        const state = this.find('state');
        state.textContent = text;
        state.classList.toggle('memory37-trouble', isTrouble);
    }

    showError(error) {
        const code = error instanceof ServiceError ? error.code : 'error';
        this.setState(`${error.message} (${code})`, true);
        this.log(`${error.message} (${code})`);
    }

    /** What was injected into the last prompt, word for word. */
    showPack(text, tokens) {
        this.find('told').textContent = text;
        this.find('told_tokens').textContent = text ? `${tokens} tokens` : 'nothing';
    }

    log(text) {
        const list = this.find('log');
        const line = this.page.createElement('li');
        line.textContent = `${new Date().toLocaleTimeString()}  ${text}`;
        list.prepend(line);
        while (list.children.length > MAX_LOG) list.lastElementChild.remove();
    }
}
