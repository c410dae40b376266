import assert from 'node:assert/strict';
import test from 'node:test';
import { Line } from '../src/line.js';
import { Lorebook, applyChanges, nameBook } from '../src/lorebook.js';

const event = (uid, content = 'Irina brought the key.') => ({
    uid,
    key: ['Irina'],
    content,
    extensions: { memory37: { event_id: `e-${uid}`, rev: 1 } },
});

/** A service with one book, and a SillyTavern that keeps lorebooks. */
function setUp(answers) {
    const line = new Line({ memory37: { chat_id: 'Oda', conversation_id: 7 } }, () => {});
    const calls = [];
    const client = {
        async call(method, path, { body } = {}) {
            calls.push([method, path, body]);
            return answers.shift();
        },
    };
    const books = new Map();
    const st = {
        loadWorldInfo: async (name) => structuredClone(books.get(name) ?? null),
        saveWorldInfo: async (name, book) => void books.set(name, structuredClone(book)),
    };
    return { work: { client, line, st, log() {} }, calls, books, lorebook: new Lorebook() };
}

test('events come into the lorebook once, and go when they are forgotten', async () => {
    const { work, calls, books, lorebook } = setUp([
        { rev: 2, entries: { 1: event(1), 17: event(17) }, removed: [] },
        { rev: 2, entries: {}, removed: [] },
        { rev: 3, entries: {}, removed: ['1'] },
    ]);
    assert.equal(await lorebook.pull(work), true);
    assert.equal(await lorebook.pull(work), false);
    assert.equal(await lorebook.pull(work), true);
    assert.deepEqual(Object.keys(books.get(nameBook('Oda')).entries), ['17']);
    assert.deepEqual(calls.map(([, path]) => path.split('since=')[1]), ['0', '2', '2']);
    assert.equal(work.line.bookRev, 3);
});

test("the player's own entries stay, under another uid where an event takes theirs", () => {
    const own = { uid: 1, key: ['dragon'], content: 'mine' };
    const merged = applyChanges({ 1: own, 5: { ...own, uid: 5 } }, { entries: { 1: event(1) }, removed: ['5'] });
    assert.deepEqual(merged[1], event(1));
    assert.deepEqual(merged[1_000_000_001], { ...own, uid: 1_000_000_001 });
    assert.equal(merged[5].content, 'mine');
});

test('what the player edited is brought back, and what this page wrote is not', async () => {
    const report = { rev: 4, edited: ['e-1'], proposed: [], overtaken: [], unknown: [], foreign: 0 };
    const { work, calls, books, lorebook } = setUp([{ rev: 2, entries: { 1: event(1) }, removed: [] }, report]);
    await lorebook.pull(work);
    const name = nameBook('Oda');
    assert.equal(await lorebook.bring(work, name, books.get(name)), false);
    const edited = { entries: { 1: event(1, 'Irina stole it.') } };
    assert.equal(await lorebook.bring(work, 'Another book', edited), false);
    assert.equal(await lorebook.bring(work, name, edited), true);
    assert.equal(await lorebook.bring(work, name, edited), false);
    assert.deepEqual(calls.at(-1), ['POST', 'worldinfo?conversation_id=7', edited]);
});

test('a branch begins a lorebook of its own, and a SillyTavern without lorebooks has none', async () => {
    const { work, calls, lorebook } = setUp([{ rev: 2, entries: {}, removed: [] }]);
    work.line.bookRev = 9;
    work.line.moveTo(8);
    assert.equal(work.line.bookRev, 0);
    work.st = {};
    assert.equal(await lorebook.pull(work), false);
    assert.equal(calls.length, 0);
});
