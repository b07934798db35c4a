// SPDX-License-Identifier: AGPL-3.0-or-later
// What is kept on the device, by account: drafts, what waits to be sent, the first pages for a start without a net. Where
// the browser keeps nothing (private windows, a shared computer), memory takes its place.
let opening: Promise<IDBDatabase> | undefined;
const memory = new Map<string, unknown>();
let owner = '';
let onDevice = true;

// Others use this computer: from here on memory is all there is, and what is left of before goes.
export function keepNothing(): void {
  onDevice = false;
  try {
    indexedDB.deleteDatabase('dunlin');
  } catch {
    // A browser that keeps nothing anyhow.
  }
}

export const useOwner = (account: string): void => void (owner = account);
const full = (key: string): string => owner + '/' + key;

function open(): Promise<IDBDatabase> {
  if (!onDevice) return Promise.reject(new Error('nothing is kept here'));
  return (opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('dunlin', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('kept');
    request.onsuccess = () => {
      const database = request.result;
      // Another page of this browser deletes it, which waits for everybody who has it open.
      database.onversionchange = () => (database.close(), (opening = undefined));
      resolve(database);
    };
    request.onerror = () => reject(request.error ?? new Error('no storage'));
  }));
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const request = act(database.transaction('kept', mode).objectStore('kept'));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no storage'));
  });
}

export async function recall<T>(key: string): Promise<T | undefined> {
  const name = full(key); // now: who is signed in may change while the storage opens
  try {
    return (await run('readonly', (store) => store.get(name))) as T | undefined;
  } catch {
    return memory.get(name) as T | undefined;
  }
}

export async function keep(key: string, value: unknown): Promise<void> {
  const name = full(key);
  try {
    await run('readwrite', (store) => (value === undefined ? store.delete(name) : store.put(value, name)) as IDBRequest<unknown>);
  } catch {
    memory.set(name, value);
  }
}

async function drop(account: string): Promise<void> {
  const range = IDBKeyRange.bound(account + '/', account + '/\uffff');
  await run('readwrite', (store) => store.delete(range)).catch(() => undefined);
  await run('readwrite', (store) => store.delete('/start:' + account)).catch(() => undefined);
}

// Everything of accounts that have been signed out.
export async function wipe(accounts: readonly string[]): Promise<void> {
  memory.clear();
  for (const one of accounts) await drop(one);
  await run('readwrite', (store) => store.delete('/start')).catch(() => undefined);
}

// The same of all that are not signed in here: they left by a page without scripts, or their session ended and somebody else has
// come. Tells whose it was.
export async function wipeAllBut(accounts: readonly string[]): Promise<string[]> {
  const names = (await run('readonly', (store) => store.getAllKeys()).catch(() => [])).map(String);
  const owners = new Set(names.map((name) => (name.startsWith('/start:') ? name.slice(7) : name.split('/')[0]!)));
  const gone = [...owners].filter((one) => one && !accounts.includes(one));
  for (const one of gone) await drop(one);
  return gone;
}
