// SPDX-License-Identifier: AGPL-3.0-or-later
import { beforeEach, expect, test, vi } from 'vitest';

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  onopen?: () => void;
  onclose?: () => void;
  send = vi.fn();
  constructor() {
    Socket.all.push(this);
  }
  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  closes(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

vi.setConfig({ testTimeout: 60_000 }); // each imports the module anew, and a busy machine takes its time
beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  Socket.all = [];
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}')));
});
async function streams(credential = 'Session P') {
  const api = await import('../src/base/api');
  api.useCredential(credential);
  return { ...api, ...(await import('../src/base/stream')) };
}
const listener = () => ({ open: vi.fn(), event: vi.fn() });

test('whoever listens later is told to ask for what it missed', async () => {
  const { listen } = await streams();
  const [first, second] = [listener(), listener()];
  listen('user', first);
  expect(first.open).not.toHaveBeenCalled();
  Socket.all[0]!.opens();
  expect(first.open).toHaveBeenCalledTimes(1);
  listen('user', second);
  expect([first.open.mock.calls.length, second.open.mock.calls.length]).toEqual([1, 1]);
});
test('nobody connects before it is known as whom', async () => {
  const { listen, connect, useCredential } = await streams('');
  listen('user', listener());
  connect();
  expect(Socket.all).toHaveLength(0);
  useCredential('Session P');
  connect();
  expect(Socket.all).toHaveLength(1);
});
test('a session that has ended is not tried again, another is', async () => {
  const { listen, connect, useCredential, whenSessionEnds } = await streams();
  const ended = vi.fn();
  whenSessionEnds(ended);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { status: 401 })));
  listen('user', listener());
  Socket.all[0]!.opens();
  Socket.all[0]!.closes();
  await vi.advanceTimersByTimeAsync(120_000);
  connect();
  expect([Socket.all.length, ended.mock.calls.length]).toEqual([1, 1]);
  useCredential('Session Q');
  connect();
  expect(Socket.all).toHaveLength(2);
});
test('a connection that breaks is made anew', async () => {
  const { listen } = await streams();
  listen('user', listener());
  Socket.all[0]!.opens();
  Socket.all[0]!.closes();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(Socket.all).toHaveLength(2);
});
