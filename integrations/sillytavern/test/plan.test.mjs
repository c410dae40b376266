import assert from 'node:assert/strict';
import { test } from 'node:test';

import { digest } from '../src/digest.js';
import { planSync } from '../src/plan.js';

const say = (text, swipes = [text]) => ({
    role: /^[A-Z]/.test(text) ? 'assistant' : 'user',
    name: '',
    text,
    digest: digest(text),
    swipes: swipes.map(digest),
});
const know = (texts) =>
    texts.map((text, index) => ({ id: 100 + index, seq: index + 1, role: say(text).role, digest: digest(text), others: {} }));
const name = (steps) => steps.map((step) => [step.kind, step.place ?? step.keep ?? step.message.text]);

test('a new chat is posted whole', () => {
    assert.deepEqual(name(planSync([], [say('Hello.'), say('hi')])), [['post', 'Hello.'], ['post', 'hi']]);
});

test('nothing is told of a chat that did not change', () => {
    assert.deepEqual(planSync(know(['Hello.', 'hi']), [say('Hello.'), say('hi')]), []);
});

test('another answer at the end is a swipe, and going back selects', () => {
    const places = know(['hi', 'One.']);
    assert.deepEqual(name(planSync(places, [say('hi'), say('Two.', ['One.', 'Two.'])])), [['swipe', 1]]);
    places[1] = { ...places[1], id: 7, digest: digest('Two.'), others: { [digest('One.')]: 101 } };
    const [step] = planSync(places, [say('hi'), say('One.', ['One.', 'Two.'])]);
    assert.equal(step.kind, 'select');
    assert.equal(step.id, 101);
});

test('a changed line of the player is an edit, wherever it stands', () => {
    const chat = [say('i am allergic to nuts'), say('Noted.'), say('go on')];
    assert.deepEqual(name(planSync(know(['i love nuts', 'Noted.', 'go on']), chat)), [['edit', 0]]);
});

test('a removed message is forgotten, and its neighbours stay', () => {
    assert.deepEqual(name(planSync(know(['a', 'One.', 'b', 'Two.']), [say('a'), say('One.'), say('Two.')])), [['forget', 2]]);
});

test('nothing is removed while an answer is being made', () => {
    assert.deepEqual(planSync(know(['hi', 'One.']), [say('hi')], { isGenerating: true }), []);
});

test('what stands in the middle and was never sent makes a branch', () => {
    const steps = planSync(know(['a', 'One.', 'b']), [say('a'), say('One.'), say('new'), say('Two.'), say('b')]);
    assert.deepEqual(name(steps), [['branch', 2], ['post', 'new'], ['post', 'Two.'], ['post', 'b']]);
});

test('a branch never changes what it shares with its trunk', () => {
    const steps = planSync(know(['a', 'One.', 'b']), [say('other'), say('One.'), say('b')], { sharedTo: 2 });
    assert.deepEqual(name(steps), [['branch', 0], ['post', 'other'], ['post', 'One.'], ['post', 'b']]);
});

test('a chat too long to align is branched where it first differs', () => {
    const texts = Array.from({ length: 600 }, (_, index) => `line ${index}`);
    const steps = planSync(know(texts), texts.map((text, index) => say(index === 0 ? text : `other ${index}`)));
    assert.deepEqual(name(steps)[0], ['branch', 1]);
    assert.equal(steps.length, 600);
});

test('carrying out the plan always ends with the chat as it is', () => {
    let seed = 37;
    const roll = (sides) => (seed = (seed * 48271) % 2147483647) % sides;
    for (let round = 0; round < 3000; round++) {
        const draw = () => Array.from({ length: roll(7) }, () => ['a', 'b', 'One.', 'Two.', 'c'][roll(5)]);
        const chat = draw().map((text) => say(text));
        const sharedTo = roll(3) === 0 ? roll(4) : 0;
        const places = know(draw());
        const removed = new Set();
        let result = places.map((place) => ({ ...place }));
        for (const step of planSync(places, chat, { sharedTo })) {
            if (step.kind === 'post') result.push({ digest: step.message.digest, role: step.message.role });
            else if (step.kind === 'branch') result = result.slice(0, step.keep);
            else if (step.kind === 'forget') removed.add(result[step.place]);
            else {
                assert.ok(result[step.place].seq > sharedTo);
                result[step.place] = { ...result[step.place], digest: step.message.digest };
            }
        }
        const left = result.filter((place) => !removed.has(place));
        assert.deepEqual(left.map((each) => [each.role, each.digest]), chat.map((each) => [each.role, each.digest]));
    }
});
