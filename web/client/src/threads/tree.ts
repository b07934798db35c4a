// SPDX-License-Identifier: AGPL-3.0-or-later
// A thread as rows of a list: what stands above a post, the post, and its answers as a tree, flattened.
export interface Node { id: string; in_reply_to_id: string | null; account: { id: string }; created_at: string; favourites_count: number }
export type Order = 'oldest' | 'newest' | 'liked' | 'flat';
export interface Row {
  id: string;
  kind: 'above' | 'main' | 'answer';
  depth: number;
  answers: number; // below it, all the way down
  folded: boolean;
  gap: boolean; // what it answers is not here: deleted, not visible or not found
}

const compare: Record<Order, (a: Node, b: Node) => number> = {
  oldest: (a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id),
  newest: (a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id),
  liked: (a, b) => b.favourites_count - a.favourites_count || a.created_at.localeCompare(b.created_at),
  flat: (a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id),
};

export function flatten(main: Node, ancestors: readonly Node[], descendants: readonly Node[], order: Order = 'oldest', folded: ReadonlySet<string> = new Set()): Row[] {
  const rows: Row[] = ancestors.map((one, n) => {
    const before = ancestors[n - 1];
    return { id: one.id, kind: 'above' as const, depth: 0, answers: 0, folded: false, gap: before ? one.in_reply_to_id !== before.id : !!one.in_reply_to_id };
  });
  const last = ancestors.at(-1);
  rows.push({ id: main.id, kind: 'main', depth: 0, answers: descendants.length, folded: false, gap: !!main.in_reply_to_id && main.in_reply_to_id !== last?.id });

  const known = new Map<string, Node>([[main.id, main]]);
  for (const one of descendants) if (!known.has(one.id)) known.set(one.id, one);
  if (order === 'flat') {
    const all = [...known.values()].filter((one) => one !== main).sort(compare.flat);
    return rows.concat(all.map((one) => ({ id: one.id, kind: 'answer', depth: 0, answers: 0, folded: false, gap: false })));
  }

  const children = new Map<string, Node[]>();
  const lost: Node[] = [];
  for (const one of known.values()) {
    if (one === main) continue;
    const parent = one.in_reply_to_id;
    if (parent && known.has(parent)) children.set(parent, [...(children.get(parent) ?? []), one]);
    else lost.push(one);
  }
  for (const list of children.values()) list.sort(compare[order]);

  const seen = new Set([main.id]);
  const sizes = new Map<string, number>();
  // Without recursion: a chain of four thousand answers must not overflow the stack.
  function sizeOf(root: Node): number {
    const path: Node[] = [];
    const walk = [root];
    const visited = new Set<string>();
    for (let node = walk.pop(); node; node = walk.pop()) {
      if (visited.has(node.id)) continue;
      visited.add(node.id);
      path.push(node);
      walk.push(...(children.get(node.id) ?? []));
    }
    for (const node of path.reverse()) sizes.set(node.id, (children.get(node.id) ?? []).reduce((sum, one) => sum + 1 + (sizes.get(one.id) ?? 0), 0));
    return sizes.get(root.id) ?? 0;
  }

  function add(tops: Node[], depth: number, gap: boolean): void {
    const walk = tops.map((node) => ({ node, depth, gap })).reverse();
    for (let next = walk.pop(); next; next = walk.pop()) {
      const { node } = next;
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      const answers = sizes.get(node.id) ?? sizeOf(node);
      const isFolded = folded.has(node.id);
      rows.push({ id: node.id, kind: 'answer', depth: next.depth, answers, folded: isFolded, gap: next.gap });
      if (isFolded) {
        hide(node);
        continue;
      }
      for (const child of [...(children.get(node.id) ?? [])].reverse()) walk.push({ node: child, depth: next.depth + 1, gap: false });
    }
  }
  function hide(node: Node): void {
    const walk = [...(children.get(node.id) ?? [])];
    for (let next = walk.pop(); next; next = walk.pop()) {
      if (seen.has(next.id)) continue;
      seen.add(next.id);
      walk.push(...(children.get(next.id) ?? []));
    }
  }

  // The author's own chain first, without indent.
  let link: Node | undefined = main;
  const chain: Node[] = [];
  while (link) {
    const before: Node = link;
    link = (children.get(before.id) ?? []).find((one) => one.account.id === main.account.id && !seen.has(one.id));
    if (!link) break;
    seen.add(link.id);
    chain.push(link);
  }
  for (const one of chain) rows.push({ id: one.id, kind: 'answer', depth: 0, answers: sizeOf(one), folded: false, gap: false });
  add(children.get(main.id) ?? [], 0, false);
  for (const one of chain) add(children.get(one.id) ?? [], 1, false);
  add(lost.sort(compare[order]), 0, true);
  // A circle has no top: whatever is left is shown all the same.
  add([...known.values()].filter((one) => !seen.has(one.id)), 0, true);
  return rows;
}
