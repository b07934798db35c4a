// SPDX-License-Identifier: AGPL-3.0-or-later
// One WebSocket for all streams a tab listens to. Whoever was away asks for what it missed: `open` tells when. A tab that
// is hidden for five minutes is disconnected, and connected again when it is looked at.
import { ApiError, credential, send } from './api';

interface Message { stream: string[]; event: string; payload?: string }
export interface Listener { event: (event: string, payload: never) => void; open: () => void }

const listeners = new Map<string, Set<Listener>>();
const asleepAfter = 5 * 60_000;
let socket: WebSocket | undefined;
let attempts = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let sleep: ReturnType<typeof setTimeout> | undefined;
let refused: string | undefined; // the credential with which nobody is let in any more

const json = new Set(['update', 'status.update', 'notification', 'conversation', 'announcement', 'announcement.reaction', 'notifications_merged']);

function tell(type: 'subscribe' | 'unsubscribe', stream: string): void {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const [name, detail] = stream.split('?');
  socket.send(JSON.stringify({ type, stream: name, ...Object.fromEntries(new URLSearchParams(detail)) }));
}

export function connect(): void {
  clearTimeout(retry);
  if (!listeners.size || !credential() || credential() === refused || (socket && socket.readyState <= WebSocket.OPEN)) return;
  const used = credential();
  const [kind, secret] = used.split(' ');
  const address = location.origin.replace(/^http/, 'ws') + '/api/v1/streaming';
  const opened = (socket = new WebSocket(address, !secret ? [] : kind === 'Session' ? ['session.' + secret] : [secret]));
  socket.onopen = () => {
    attempts = 0;
    for (const [stream, set] of listeners) {
      tell('subscribe', stream);
      for (const listener of set) listener.open();
    }
  };
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    const payload = (json.has(message.event) && message.payload ? JSON.parse(message.payload) : message.payload) as never;
    const [name, detail] = message.stream;
    for (const [stream, set] of listeners) {
      const [ours, parameters] = stream.split('?');
      if (ours !== name || (detail && [...new URLSearchParams(parameters).values()][0] !== detail)) continue;
      for (const listener of set) listener.event(message.event, payload);
    }
  };
  socket.onclose = () => {
    if (socket !== opened) return;
    socket = undefined;
    if (!listeners.size || document.hidden) return;
    // The server closes it when the session ends: a request tells whether that is why.
    void send('GET', '/api/v2/notifications/unread_count').catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) refused = used;
    });
    const wait = Math.min(60_000, 1_000 * 2 ** attempts++) * (0.5 + Math.random() / 2);
    retry = setTimeout(connect, wait);
  };
}

export function listen(stream: string, listener: Listener): () => void {
  let set = listeners.get(stream);
  if (!set) listeners.set(stream, (set = new Set()));
  const all = set;
  if (all.add(listener).size === 1) tell('subscribe', stream);
  if (socket?.readyState === WebSocket.OPEN) listener.open(); // it has missed what came while it did not listen
  else connect();
  return () => {
    all.delete(listener);
    if (all.size) return;
    listeners.delete(stream);
    tell('unsubscribe', stream);
    if (!listeners.size) socket?.close();
  };
}

export function startStreaming(): void {
  document.addEventListener('visibilitychange', () => {
    clearTimeout(sleep);
    if (document.hidden) sleep = setTimeout(() => socket?.close(), asleepAfter);
    else connect();
  });
}
