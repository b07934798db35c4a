// SPDX-License-Identifier: AGPL-3.0-or-later
// What all scenarios share: one server, one browser, and people made where they are used.
import { setDefaultResultOrder } from 'node:dns';
import { createOAuthAPIClient, createRestAPIClient } from 'masto';
import { launch } from './browser.js';
import { until } from './check.js';
import { startServer } from './server.js';

setDefaultResultOrder('ipv4first');

export const server = await startServer();
export const browser = await launch();
export const oauth = createOAuthAPIClient({ url: server.url });
export const password = 'correct horse battery';
export const scopes = 'read write follow push';
// Nobody signs up before there is an owner.
await server.command('account', 'create', 'landlord', '--email', 'landlord@example.org', '--confirmed', '--role', 'owner');

export const client = (accessToken) => createRestAPIClient({ url: server.url, accessToken, timeout: 60_000 });
export const stranger = client();

// An account made on the command line, with a token of the command line.
export async function person(name) {
  await server.command('account', 'create', name, '--email', `${name}@example.org`, '--password', password, '--confirmed');
  const token = (await server.command('token', 'create', name, '--scopes', scopes)).trim();
  const api = client(token);
  const { id } = await api.v1.accounts.verifyCredentials();
  return { name, id, token, api, account: api.v1.accounts.$select(id) };
}

export const status = (who, id) => who.api.v1.statuses.$select(id);
export const account = (who, other) => who.api.v1.accounts.$select(other.id);
export const post = (who, text, more = {}) => who.api.v1.statuses.create({ status: text, ...more });
export const home = (who) => who.api.v1.timelines.home.list({ limit: 40 });

export async function notifications(who, type) {
  const list = await who.api.v1.notifications.list({ limit: 40 });
  return list.filter((n) => !type || n.type === type);
}

// The bare answer, where masto would hide the headers.
export const get = (path, token) =>
  fetch(server.url + path, { headers: token ? { Authorization: `Bearer ${token}` } : {}, redirect: 'manual' });

export function authorizeUrl(app, redirectUri, more = {}) {
  const query = new URLSearchParams({ response_type: 'code', client_id: app.clientId, redirect_uri: redirectUri, scope: scopes, ...more });
  return `${server.url}/oauth/authorize?${query}`;
}

export const newApp = (redirectUris, more = {}) =>
  stranger.v1.apps.create({ clientName: 'An app of the tests', redirectUris, scopes, website: 'https://app.example', ...more });

export const exchange = (app, redirectUri, code, more = {}) =>
  oauth.token.create({ grantType: 'authorization_code', clientId: app.clientId, clientSecret: app.clientSecret, redirectUri, code, scope: scopes, ...more });

// The link of the newest letter to an address that leads to a path.
export async function linkFor(address, path) {
  return until(`a letter to ${address} with a link to ${path}`, async () => {
    for (const letter of (await server.letters(address)).reverse()) {
      const text = letter.replace(/=\r?\n/g, '').replaceAll('=3D', '=');
      const link = text.match(new RegExp(`${server.url}${path}\\?[^\\s"<>]+`));
      if (link) return link[0];
    }
    return null;
  });
}
