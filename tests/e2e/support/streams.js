// SPDX-License-Identifier: AGPL-3.0-or-later
// Every stream of somebody at once: as masto hears them over one WebSocket, and raw as server-sent events.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { request } from 'node:http';
import { createStreamingAPIClient } from 'masto';
import WebSocket from 'ws';
import { until } from './check.js';
import { server } from './stage.js';

EventEmitter.defaultMaxListeners = 20; // masto listens once more for each subscription

export const TAG = 'cats';

// By name: how masto subscribes, and the path of the event stream.
const STREAMS = {
  user: [(c) => c.user.subscribe(), 'user'],
  'user:notification': [(c) => c.user.notification.subscribe(), 'user/notification'],
  public: [(c) => c.public.subscribe(), 'public'],
  'public:media': [(c) => c.public.media.subscribe(), 'public?only_media=true'],
  'public:local': [(c) => c.public.local.subscribe(), 'public/local'],
  'public:local:media': [(c) => c.public.local.media.subscribe(), 'public/local?only_media=1'],
  'public:remote': [(c) => c.public.remote.subscribe(), 'public/remote'],
  'public:remote:media': [(c) => c.public.remote.media.subscribe(), 'public/remote?only_media=true'],
  hashtag: [(c) => c.hashtag.subscribe({ tag: TAG }), `hashtag?tag=${TAG}`],
  'hashtag:local': [(c) => c.hashtag.local.subscribe({ tag: TAG }), `hashtag/local?tag=${TAG}`],
  list: [(c, list) => c.list.subscribe({ list }), 'list?list='],
  direct: [(c) => c.direct.subscribe(), 'direct'],
};

export const mastoOf = (who) =>
  createStreamingAPIClient({ streamingApiUrl: `ws://${server.host}`, accessToken: who.token, implementation: WebSocket });

// Subscribing is not answered: until the server lists so many WebSockets of somebody that listen to so many streams each.
export const subscribed = (who, streams, sockets = 1) =>
  until(`${who.name} listens to ${streams} streams`, async () => (await socketsOf(who, streams)) >= sockets);

async function socketsOf(who, streams) {
  const listed = JSON.parse(await server.command('streaming', '--json'));
  return listed.filter((one) => one.account === who.name && one.transport === 'websocket' && one.streams.length === streams).length;
}

// Server-sent events as they come.
export function events(path, token) {
  const heard = { text: '', ended: false, status: 0, headers: {} };
  const asked = request(server.url + path, { headers: { Authorization: `Bearer ${token}` } }, (answer) => {
    heard.status = answer.statusCode;
    heard.headers = answer.headers;
    answer.setEncoding('utf8');
    answer.on('data', (part) => (heard.text += part));
    answer.on('close', () => (heard.ended = true));
  });
  asked.on('error', () => (heard.ended = true));
  asked.end();
  heard.hangUp = () => asked.destroy();
  return heard;
}

// What was said since, by what a test compares: the event, and the id that its payload has or is.
function brief(event, payload) {
  const id = payload && typeof payload === 'object' ? payload.id : payload;
  return id === undefined ? event : `${event} ${id}`;
}

// masto reads every payload but that of `delete` as JSON: an id becomes a number, as near as it can be.
const asMasto = (words) => words.map((word) => word.replace(/^announcement\.delete (\d+)$/, (_, id) => `announcement.delete ${Number(id)}`));

function read(event, data) {
  return brief(event, data.startsWith('{') ? JSON.parse(data) : data === '""' ? undefined : data);
}

function parts(text) {
  return [...text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event, data]) => read(event, data));
}

// All streams of one person, the list's only when there is one.
export async function listenToAll(who, list) {
  const names = Object.keys(STREAMS).filter((name) => list || name !== 'list');
  const sockets = await socketsOf(who, names.length);
  const client = mastoOf(who);
  await client.prepare();
  const heard = Object.fromEntries(names.map((name) => [name, []]));
  const failed = [];
  for (const name of names)
    (async () => {
      for await (const { event, payload } of STREAMS[name][0](client, list)) heard[name].push(brief(event, payload));
    })().catch((error) => failed.push(`${name}: ${error.message}`));
  const raw = Object.fromEntries(
    names.map((name) => [name, events(`/api/v1/streaming/${STREAMS[name][1]}${name === 'list' ? list : ''}`, who.token)]),
  );
  await until('all are open', () => names.every((name) => raw[name].text.startsWith(':)\n')));
  await subscribed(who, names.length, sockets + 1);

  const both = () => ({
    masto: Object.fromEntries(names.map((name) => [name, [...heard[name]].sort()])),
    raw: Object.fromEntries(names.map((name) => [name, parts(raw[name].text).sort()])),
  });
  return {
    // Exactly this since last asked, by stream; of a stream that is not named, nothing.
    hears: async (what, expected) => {
      const whole = Object.fromEntries(names.map((name) => [name, [...(expected[name] ?? [])].sort()]));
      const read = Object.fromEntries(names.map((name) => [name, asMasto(whole[name])]));
      const same = () => JSON.stringify(both()) === JSON.stringify({ masto: read, raw: whole });
      await until(what, same).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 60)); // and no more
      const now = both();
      assert.deepEqual({ sockets: now.masto, events: now.raw, failed }, { sockets: read, events: whole, failed: [] }, `${who.name}: ${what}`);
      for (const name of names) {
        heard[name].length = 0;
        raw[name].text = '';
      }
    },
    end: () => {
      client.close();
      for (const name of names) raw[name].hangUp();
    },
  };
}
