// SPDX-License-Identifier: AGPL-3.0-or-later
import assert from 'node:assert/strict';

// With DUNLIN_LONG, what takes minutes (script/test --long).
export const long = process.env.DUNLIN_LONG === '1';

// What happens a moment after the answer (notifications, mail): asks until the answer is truthy, as long as a machine may
// take that does much else.
export async function until(what, ask, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  let last;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = undefined;
    } catch (error) {
      if (error.final) throw error;
      last = error;
    }
    if (Date.now() > end) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(`not within ${seconds} s: ${what}${last ? ` (${last.message})` : ''}`);
}

// The call is refused with this status, and with this text if one is given.
export async function refused(status, call, text) {
  const error = await call.then(() => assert.fail(`answered, though it should be refused with ${status}`), (e) => e);
  if (error.code === 'ERR_ASSERTION') throw error;
  assert.equal(error.statusCode, status, `refused with ${error.statusCode ?? error}: ${error.message}`);
  if (text !== undefined) assert.equal(error.message, text);
  return error;
}

export const ids = (list) => list.map((item) => item.id);

export function has(list, id, what = 'the list') {
  assert.ok(ids(list).includes(id), `${what} lacks ${id}; it holds ${ids(list).join(' ') || 'nothing'}`);
}

export function lacks(list, id, what = 'the list') {
  assert.ok(!ids(list).includes(id), `${what} should not hold ${id}`);
}

// Every entry of every page a paginator of masto reaches.
export async function all(paginator, most = 100) {
  const entries = [];
  let pages = 0;
  for await (const page of paginator) {
    assert.ok(++pages <= most, `still more after ${most} pages`);
    if (page.length === 0) break;
    entries.push(...page);
  }
  return entries;
}
