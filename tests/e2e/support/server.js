// SPDX-License-Identifier: AGPL-3.0-or-later
// A fresh server: its own folder, its own port, its own database (the one of DUNLIN_E2E_DATABASE, or SQLite).
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, open, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './check.js';

const binary = process.env.DUNLIN;
const database = process.env.DUNLIN_E2E_DATABASE ?? '';

// Nothing of our own environment may configure the server.
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DUNLIN')));

export const engine = database ? 'PostgreSQL' : 'SQLite';

// Below what the system gives to connections that go out: nobody is given such a port while a server is being started, or
// between its end and its next start.
export function freePort() {
  return new Promise((resolve) => {
    const port = randomInt(20000, 32000);
    const probe = createServer().on('error', () => resolve(freePort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

// `publicUrl`: what stands in front of it, where that is not the server itself.
export async function startServer(options = [], publicUrl = '') {
  if (!binary) throw new Error('DUNLIN must name the dunlin program');
  const folder = await mkdtemp(join(tmpdir(), 'dunlin-e2e-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const url = publicUrl || address;
  const where = ['--data', data, '--public-url', url, ...(database ? ['--database', database] : [])];
  const logFile = join(folder, 'log');
  let child;
  let ended;
  const begin = async () => {
    const log = await open(logFile, 'a');
    child = spawn(binary, ['serve', ...where, '--listen', `127.0.0.1:${port}`, '--no-rate-limits', '--no-check-mail-hosts', ...options], {
      stdio: ['ignore', log.fd, log.fd],
      env: environment,
    });
    await log.close();
    ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
  };
  const answers = () =>
    until('the server answers /health', async () => {
      if (child.exitCode !== null) throw Object.assign(new Error(`the server ended:\n${await server.log()}`), { final: true });
      return (await fetch(`${address}/health`).catch(() => null))?.ok;
    });
  const killed = () => child.kill('SIGKILL');
  await begin();
  process.on('exit', killed);

  const run = async (...words) => (await promisify(execFile)(binary, [...words, ...where], { env: environment })).stdout;

  const server = {
    url,
    address,
    host: `localhost:${port}`,
    log: () => readFile(logFile, 'utf8'),
    command: run,
    // Every letter that names the address, newest last.
    async letters(address) {
      const mail = join(data, 'mail');
      const names = await readdir(mail).catch(() => []);
      const texts = await Promise.all(names.filter((n) => n.endsWith('.eml')).map((n) => readFile(join(mail, n), 'utf8')));
      return texts.filter((text) => text.includes(address));
    },
    // As when the power goes, and comes again.
    async crash() {
      killed();
      assert.equal(await ended, 'SIGKILL');
    },
    async begin() {
      await begin();
      await answers();
    },
    async stop() {
      child.kill('SIGTERM');
      const status = await Promise.race([ended, new Promise((r) => setTimeout(r, 20_000, 'no end within 20 s'))]);
      process.off('exit', killed);
      killed();
      const text = await server.log();
      await rm(folder, { recursive: true, force: true });
      return { status, log: text };
    },
  };
  await answers();
  return server;
}
