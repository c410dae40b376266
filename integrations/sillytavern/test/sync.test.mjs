import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readChat } from '../src/chat.js';
import { ServiceError } from '../src/client.js';
import { Line } from '../src/line.js';
import { findNpc } from '../src/settings.js';
import { followCopy, readMissed, syncChat } from '../src/sync.js';

/** A service that remembers what it was told, and fails where a test wants it to. */
class Service {
    constructor() {
        this.calls = [];
        this.next = 1;
        this.seq = 0;
        this.failAt = null;
    }

    async call(method, path, { body } = {}) {
        this.calls.push(`${method} ${path}`);
        if (this.failAt?.test(path)) throw new ServiceError('offline', 'No answer.');
        if (path === 'conversations') return { id: 7 };
        if (path.endsWith('/branch')) {
            this.seq = body.from_seq;
            return { id: 8 };
        }
        if (path.endsWith('/messages/batch')) {
            return { messages: body.messages.map(() => ({ message_id: this.next++, seq: ++this.seq })) };
        }
        if (method === 'GET') return { data: this.stored ?? [], next_cursor: null };
        return { message_id: this.next++, changes: {} };
    }
}

const st = (texts) => texts.map((mes) => ({ mes, is_user: !/^[A-Z]/.test(mes), name: 'Oda', swipes: [mes] }));
const prepare = (client, metadata, chat, more = {}) => ({
    client,
    line: new Line(metadata, () => {}),
    messages: readChat(chat),
    isGenerating: false,
    who: { userId: 'ada', npcOf: () => '' },
    forgetsRemoved: true,
    log: () => {},
    ...more,
});

test('what was told once is not told again', async () => {
    const [service, metadata] = [new Service(), {}];
    await syncChat(prepare(service, metadata, st(['Hello.', 'hi'])));
    await syncChat(prepare(service, metadata, st(['Hello.', 'hi'])));
    assert.deepEqual(service.calls, ['POST conversations', 'POST conversations/7/messages/batch']);
});

test('a step that fails is taken the next time, and those before it are not repeated', async () => {
    const [service, metadata] = [new Service(), {}];
    await syncChat(prepare(service, metadata, st(['one', 'two', 'three'])));
    service.failAt = /messages\/3\/forget/;
    await assert.rejects(syncChat(prepare(service, metadata, st(['two']))), { code: 'offline' });
    service.failAt = null;
    service.calls = [];
    await syncChat(prepare(service, metadata, st(['two'])));
    assert.deepEqual(service.calls, ['POST messages/3/forget']);
});

test('a removed message stays where the player wants nothing forgotten', async () => {
    const [service, metadata] = [new Service(), {}];
    await syncChat(prepare(service, metadata, st(['one', 'two'])));
    await syncChat(prepare(service, metadata, st(['one']), { forgetsRemoved: false }));
    assert.equal(service.calls.some((call) => call.endsWith('/forget')), false);
    assert.equal(new Line(metadata, () => {}).places.length, 1);
});

test('a copy of a chat becomes a branch that shares what is equal', async () => {
    const [service, metadata] = [new Service(), {}];
    const work = prepare(service, metadata, st(['one', 'Two.', 'three']));
    work.line.chatId = 'first chat';
    await syncChat(work);
    const copied = structuredClone(metadata);
    const copy = prepare(service, copied, st(['one', 'Two.']));
    assert.equal(await followCopy(copy, { chatId: 'Branch #1', copiedFrom: 'first chat' }), true);
    assert.equal(copied.memory37.conversation_id, 8);
    assert.equal(copied.memory37.shared_to, 2);
    assert.equal(metadata.memory37.conversation_id, 7);
});

test('a renamed chat stays the same conversation', async () => {
    const [service, metadata] = [new Service(), {}];
    const work = prepare(service, metadata, st(['one']));
    work.line.chatId = 'old name';
    await syncChat(work);
    assert.equal(await followCopy(prepare(service, metadata, st(['one'])), { chatId: 'new name' }), false);
    assert.equal(metadata.memory37.conversation_id, 7);
});

test('what was stored before the page closed is found again', async () => {
    const [service, metadata] = [new Service(), {}];
    await syncChat(prepare(service, metadata, st(['one'])));
    service.stored = [{ id: 9, seq: 2, role: 'assistant', content: 'Two.', forgotten_at: null }];
    await readMissed(prepare(service, metadata, []));
    service.calls = [];
    await syncChat(prepare(service, metadata, st(['one', 'Two.'])));
    assert.deepEqual(service.calls, []);
});

test('notices, empty messages and unfinished answers are not said', () => {
    const chat = [{ mes: 'x', is_system: true }, { mes: ' ', is_user: true }, { mes: '...', is_user: false }, { mes: 'y', is_user: true }];
    assert.deepEqual(readChat(chat).map((message) => message.text), ['y']);
});

test('an NPC is found by the name of its character', () => {
    assert.equal(findNpc('Oda Marr = oda-marr\nLi = npc_LiShen', 'Li'), 'npc_LiShen');
    assert.equal(findNpc('Oda Marr = oda-marr', 'Oda'), '');
});
