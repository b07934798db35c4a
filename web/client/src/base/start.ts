// SPDX-License-Identifier: AGPL-3.0-or-later
// What the page knows before it asks: written by the server into the shell, or fetched where the shell is the generic one.
import { get, query, useAnswers, useCredential } from './api';
import type { CredentialAccount, Instance, List, Marker, WholeFilter } from './entities';
import { keep, keepNothing, recall } from './store';

export interface OwnAccount { proof: string; id: string; username: string; display_name: string; avatar: string }
export interface Start {
  me: CredentialAccount;
  instance: Instance;
  version?: string;
  proof?: string;
  accounts?: OwnAccount[];
  shared?: boolean; // others use this computer: nothing is kept on it
  settings?: Record<string, unknown>;
  lists?: List[];
  filters?: WholeFilter[];
  markers?: Record<string, Marker>;
  preferences?: Record<string, unknown>;
  answers?: Record<string, { body: unknown; link?: string }>;
}

export class SignedOut extends Error {}

export let start = {} as Start;
const chosen = 'dunlin-account';

// Each tab may be another of the accounts of this browser, and stays it for as long as it lives. The proof is the way in; the
// id tells whose tab it is where a proof says nothing: without a net, or written anew.
interface Chosen { id: string; proof: string }
function inThisTab(): Chosen | null {
  try {
    return JSON.parse(sessionStorage.getItem(chosen) ?? 'null') as Chosen | null;
  } catch {
    return null;
  }
}
export function chooseAccount({ id, proof }: Chosen, path = '/home'): void {
  sessionStorage.setItem(chosen, JSON.stringify({ id, proof }));
  location.assign(path);
}

// Without a net the last one serves: it holds nobody's secret.
async function lastOne(): Promise<Start> {
  const of = inThisTab();
  const kept = of ? await recall<Start>('start:' + of.id) : await recall<Start>('start');
  if (!kept) throw new TypeError('no connection');
  return kept;
}

async function asked(proof?: string): Promise<Start> {
  let answer: Response;
  try {
    answer = await fetch('/web/start?' + query({ for: location.pathname + location.search, proof }), { headers: { Accept: 'application/json' } });
  } catch {
    return lastOne();
  }
  if (answer.ok) return (await answer.json()) as Start;
  if (proof) {
    sessionStorage.removeItem(chosen);
    return asked();
  }
  if (answer.status === 401) throw new SignedOut();
  const [me, instance] = await Promise.all([get<CredentialAccount>('/api/v1/accounts/verify_credentials'), get<Instance>('/api/v2/instance')]);
  return { me, instance };
}

// After a start without a net: the proof, as soon as there is one again.
export async function renew(): Promise<void> {
  const fresh = await asked(inThisTab()?.proof);
  if (!fresh.proof || fresh.me.id !== start.me.id) return;
  start = { ...start, ...fresh };
  useCredential('Session ' + fresh.proof);
}

export async function begin(): Promise<Start> {
  const text = document.getElementById('start')?.textContent;
  const given = text?.trim() ? (JSON.parse(text) as Start) : undefined;
  const wanted = inThisTab();
  start = given && (!wanted || wanted.id === given.me.id) ? given : await asked(wanted?.proof);
  if (start.proof) useCredential('Session ' + start.proof);
  useAnswers(start.answers ?? {});
  const { answers, proof, accounts, ...rest } = start;
  void answers;
  if (start.shared) keepNothing();
  else if (proof || accounts) for (const name of ['start', 'start:' + start.me.id]) void keep(name, rest);
  return start;
}

// Who may see reports, other servers or sign-ups; their pages are the server's.
const staff = (1 << 0) | (1 << 4) | (1 << 5) | (1 << 10);
const may = (permissions: number): boolean => (Number(start.me.role?.permissions ?? 0) & permissions) !== 0;
export const isStaff = (): boolean => may(staff);
// Posts; each has a page for that.
export const mayLabel = (): boolean => may((1 << 0) | (1 << 4) | (1 << 10));
export const mayReports = (): boolean => may((1 << 0) | (1 << 4));
export const mayAppeals = (): boolean => may((1 << 0) | (1 << 9));
