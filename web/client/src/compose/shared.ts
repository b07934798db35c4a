// SPDX-License-Identifier: AGPL-3.0-or-later
// Drafts on the server, so that another device can go on with them. The device keeps its own first (draft.svelte.ts); what
// is sent from here follows a few seconds after the last key, and nobody waits for it.
import { del, get, put } from '../base/api';
import { keep, recall } from '../base/store';
import type { Kept } from './draft.svelte';

interface There { key: string; data: Kept }
const path = '/api/dunlin/v1/drafts';
const pause = 2500;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

const list = async (name: string): Promise<string[]> => (await recall<string[]>(name)) ?? [];
const note = async (name: string, id: string): Promise<void> => keep(name, [...new Set([...(await list(name)), id])]);
const strike = async (name: string, id: string): Promise<void> => keep(name, (await list(name)).filter((one) => one !== id));
const known = 'drafts-shared';
const gone = 'drafts-gone';

function stop(id: string): void {
  clearTimeout(waiting.get(id));
  waiting.delete(id);
}

export function share(draft: Kept): void {
  stop(draft.id);
  waiting.set(draft.id, setTimeout(() => void send(draft).catch(() => undefined), pause));
}
async function send(draft: Kept): Promise<void> {
  waiting.delete(draft.id);
  await note(known, draft.id);
  await put(`${path}/${draft.id}`, { data: draft });
  if ((await list(gone)).includes(draft.id)) await remove(draft.id); // posted or thrown away meanwhile
}
async function remove(id: string): Promise<void> {
  await del(`${path}/${id}`);
  await strike(gone, id);
}
export async function unshare(id: string): Promise<void> {
  stop(id);
  if (!(await list(known)).includes(id)) return;
  await strike(known, id);
  await note(gone, id);
  await remove(id).catch(() => undefined);
}

// What other devices have written, and which of those shared before are no more.
export async function lookAtShared(): Promise<{ drafts: Kept[]; ended: string[] }> {
  for (const id of await list(gone)) await remove(id);
  const there = await get<There[]>(path);
  const before = await list(known);
  for (const { key } of there) await note(known, key);
  const ended = before.filter((id) => !waiting.has(id) && !there.some(({ key }) => key === id));
  for (const id of ended) await strike(known, id);
  return { drafts: there.map(({ data }) => data), ended };
}
