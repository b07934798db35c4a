// SPDX-License-Identifier: AGPL-3.0-or-later
import { describe, expect, test } from 'vitest';
import { flatten, type Node } from '../src/threads/tree';

const node = (id: string, parent: string | null, author = 'x', more: Partial<Node> = {}): Node => ({ id, in_reply_to_id: parent, account: { id: author }, created_at: id.padStart(8, '0'), favourites_count: 0, ...more });
const shape = (rows: { id: string; depth: number }[]): string => rows.map((row) => row.id + ':' + row.depth).join(' ');

describe('a thread as rows', () => {
  test('stands as ancestors, post, answers with their branches', () => {
    const rows = flatten(node('3', '2'), [node('1', null), node('2', '1')], [node('4', '3', 'y'), node('5', '4', 'z'), node('6', '3', 'z')]);
    expect(shape(rows)).toBe('1:0 2:0 3:0 4:0 5:1 6:0');
    expect(rows.map((row) => row.kind)).toEqual(['above', 'above', 'main', 'answer', 'answer', 'answer']);
    expect(rows[3]!.answers).toBe(1);
  });
  test("puts the author's own chain first and in line", () => {
    const rows = flatten(node('1', null, 'me'), [], [node('2', '1'), node('3', '1', 'me'), node('4', '3', 'me'), node('5', '4')]);
    expect(shape(rows)).toBe('1:0 3:0 4:0 2:0 5:1');
  });
  test('says where something is missing', () => {
    const rows = flatten(node('3', '2'), [], [node('5', '4')]);
    expect(rows.map((row) => row.gap)).toEqual([true, true]);
  });
  test('ends in circles, and shows each post once', () => {
    const rows = flatten(node('1', null), [], [node('2', '3'), node('3', '2'), node('4', '4'), node('1', '2')]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    expect(rows).toHaveLength(4);
  });
  test('holds a chain of four thousand answers', () => {
    const all = Array.from({ length: 4000 }, (_, n) => node(String(n + 2), String(n + 1)));
    const rows = flatten(node('1', null, 'me'), [], all);
    expect(rows).toHaveLength(4001);
    expect(rows[1]!.answers).toBe(3999);
  });
  test('folds what is below a post', () => {
    const rows = flatten(node('1', null), [], [node('2', '1', 'y'), node('3', '2', 'y'), node('4', '1', 'z')], 'oldest', new Set(['2']));
    expect(shape(rows)).toBe('1:0 2:0 4:0');
    expect(rows[1]).toMatchObject({ folded: true, answers: 1 });
  });
  test('is ordered as the reader likes', () => {
    const answers = [node('2', '1', 'a'), node('3', '1', 'b', { favourites_count: 5 }), node('4', '1', 'c')];
    expect(shape(flatten(node('1', null, 'me'), [], answers, 'newest'))).toBe('1:0 4:0 3:0 2:0');
    expect(shape(flatten(node('1', null, 'me'), [], answers, 'liked'))).toBe('1:0 3:0 2:0 4:0');
    expect(shape(flatten(node('1', null, 'me'), [], [...answers, node('5', '2')], 'flat'))).toBe('1:0 2:0 3:0 4:0 5:0');
  });
});
