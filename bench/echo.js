// SPDX-License-Identifier: AGPL-3.0-or-later
// A plain WebSocket server to compare with: it sends back what comes, and to everybody what begins with "all".
// usage: node echo.js, in a folder from which `ws` is found; prints its port
const { WebSocketServer } = require('ws');

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(server.address().port));
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const text = data.toString();
    if (!text.startsWith('all')) return socket.send(text);
    for (const one of server.clients) one.send(text);
  });
});
