// SPDX-License-Identifier: AGPL-3.0-or-later
// A site with a service for translations, which is a small one of our own here.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRestAPIClient } from 'masto';
import { refused } from '../support/check.js';
import { person, post, status } from '../support/stage.js';
import { startServer } from '../support/server.js';

// LibreTranslate's two questions, answered by writing everything in capitals.
function translator() {
  const asked = [];
  const service = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/languages') {
        const names = ['de', 'en'];
        return response.end(JSON.stringify(names.map((code) => ({ code, name: code, targets: names }))));
      }
      const { q, source } = JSON.parse(text);
      asked.push(q);
      const detectedLanguage = q.map(() => ({ language: source, confidence: 90 }));
      response.end(JSON.stringify({ translatedText: q.map((one) => one.replace(/>[^<]+</g, (m) => m.toUpperCase())), detectedLanguage }));
    });
  });
  return new Promise((resolve) => service.listen(0, '127.0.0.1', () => resolve({ asked, service, url: `http://127.0.0.1:${service.address().port}` })));
}

export default {
  'a post is translated once and kept': async () => {
    const { asked, service, url } = await translator();
    const site = await startServer(['--translate-service', 'libretranslate', '--translate-url', url]);
    try {
      await site.command('account', 'create', 'tess', '--email', 'tess@example.org', '--confirmed');
      const token = (await site.command('token', 'create', 'tess', '--scopes', 'read write')).trim();
      const api = createRestAPIClient({ url: site.url, accessToken: token });
      const german = await api.v1.statuses.create({ status: 'guten Morgen', language: 'de' });
      const english = await api.v1.statuses.$select(german.id).translate({ lang: 'en' });
      assert.match(english.content, /GUTEN MORGEN/);
      assert.deepEqual([english.detectedSourceLanguage, english.provider], ['de', 'LibreTranslate']);
      await api.v1.statuses.$select(german.id).translate({ lang: 'en' });
      assert.equal(asked.length, 1, 'asked once');
    } finally {
      await site.stop();
      service.close();
    }
  },

  'a site without one answers that there is none': async () => {
    const udo = await person('udo');
    const german = await post(udo, 'guten Abend', { language: 'de' });
    await refused(404, status(udo, german.id).translate({ lang: 'en' }));
  },
};
