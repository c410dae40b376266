/**
 * What must be told to the service so that it knows the chat as it is now. Pure: no network, no SillyTavern.
 *
 * `places` are what the service knows: `{id, seq, role, digest, others}`, where `others` maps the digests of
 * alternatives that are not current to their message ids. `messages` come from `readChat`.
 */

const COST = { change: 1, swipe: 0.5, remove: 1, insert: 1.5 };
/** Above so many pairs nothing is aligned: the line is branched where it first differs. */
const MAX_PAIRS = 250_000;

/**
 * @param {object[]} places
 * @param {object[]} messages
 * @param {{sharedTo?: number, isGenerating?: boolean}} options `sharedTo`: the last `seq` that belongs to the trunk of
 *     a branch, whose messages are never changed from here; `isGenerating`: nothing is removed
 * @returns {object[]} steps in the order in which they must be taken: `{kind: 'post', message}`,
 *     `{kind: 'edit'|'swipe', place, message}`, `{kind: 'select', place, id, message}`, `{kind: 'forget', place}`,
 *     `{kind: 'branch', keep}`; `place` counts `places` as they were given; behind a branch only posts come
 */
export function planSync(places, messages, { sharedTo = 0, isGenerating = false } = {}) {
    const compared = isGenerating ? places.slice(0, messages.length) : places;
    const steps = [];
    for (const { kind, place, message } of align(compared, messages)) {
        if (kind === 'post') {
            steps.push({ kind, message: messages[message] });
            continue;
        }
        const isShared = place < places.length && places[place].seq <= sharedTo;
        if (kind === 'insert' || isShared) {
            return [...steps, ...branchAt(place, message, messages)];
        }
        steps.push(kind === 'forget' ? { kind, place } : chooseChange(places[place], place, messages[message]));
    }
    return steps;
}

function branchAt(place, message, messages) {
    return [{ kind: 'branch', keep: place }, ...messages.slice(message).map((each) => ({ kind: 'post', message: each }))];
}

function chooseChange(known, place, message) {
    const id = known.others[message.digest];
    if (id !== undefined) {
        return { kind: 'select', place, id, message };
    }
    const isSwipe = message.role === 'assistant' && message.swipes.includes(known.digest);
    return { kind: isSwipe ? 'swipe' : 'edit', place, message };
}

/** The differences between both, first to last; what is equal is left out. */
function align(places, messages) {
    const from = countEqual(places, messages, 0);
    const behind = countEqual([...places].reverse(), [...messages].reverse(), from);
    const known = places.slice(from, places.length - behind);
    const said = messages.slice(from, messages.length - behind);
    if (known.length * said.length > MAX_PAIRS) {
        return [{ kind: 'insert', place: from, message: from }];
    }
    const steps = alignMiddle(known, said).map((step) => ({
        ...step,
        place: step.place + from,
        message: step.message + from,
    }));
    return steps.map((step) => (step.kind === 'insert' && step.place === places.length ? { ...step, kind: 'post' } : step));
}

function countEqual(left, right, shared) {
    const most = Math.min(left.length, right.length) - shared;
    let count = 0;
    while (count < most && isSame(left[count], right[count])) {
        count++;
    }
    return count;
}

function isSame(place, message) {
    return place.role === message.role && place.digest === message.digest;
}

/** The cheapest edit script, by dynamic programming. */
function alignMiddle(known, said) {
    const costs = fillCosts(known, said);
    const steps = [];
    let place = 0;
    let message = 0;
    while (place < known.length || message < said.length) {
        const here = costs[place][message];
        const pair = place < known.length && message < said.length ? costOfPair(known[place], said[message]) : Infinity;
        if (pair < Infinity && here === pair + costs[place + 1][message + 1]) {
            if (pair > 0) {
                steps.push({ kind: 'change', place, message });
            }
            place++;
            message++;
        } else if (place < known.length && here === COST.remove + costs[place + 1][message]) {
            steps.push({ kind: 'forget', place, message });
            place++;
        } else {
            steps.push({ kind: 'insert', place, message });
            message++;
        }
    }
    return steps;
}

function fillCosts(known, said) {
    const costs = Array.from({ length: known.length + 1 }, () => new Array(said.length + 1).fill(0));
    for (let place = known.length; place >= 0; place--) {
        for (let message = said.length; message >= 0; message--) {
            if (place === known.length) {
                costs[place][message] = (said.length - message) * COST.insert;
            } else if (message === said.length) {
                costs[place][message] = (known.length - place) * COST.remove;
            } else {
                costs[place][message] = Math.min(
                    costOfPair(known[place], said[message]) + costs[place + 1][message + 1],
                    COST.remove + costs[place + 1][message],
                    COST.insert + costs[place][message + 1],
                );
            }
        }
    }
    return costs;
}

function costOfPair(place, message) {
    if (place.role !== message.role) {
        return Infinity;
    }
    if (place.digest === message.digest) {
        return 0;
    }
    const isKnownSwipe = message.swipes.includes(place.digest) || message.digest in place.others;
    return isKnownSwipe ? COST.swipe : COST.change;
}
