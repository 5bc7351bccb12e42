// Loopback HTTP API for trying tools against. Node >= 20, no dependencies.
//   PORT=8181 node stub-http.mjs     (without PORT, or with 0: any free port, which is printed)
// GET /log returns every request seen since the last DELETE /log.
import http from 'node:http';

const port = Number(process.env.PORT ?? 0);
let log = [];
let charges = [];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const readBody = (req) =>
  new Promise((resolve) => {
    const parts = [];
    req.on('data', (c) => parts.push(c));
    req.on('end', () => resolve(Buffer.concat(parts)));
    req.on('error', () => resolve(Buffer.concat(parts)));
  });

const json = (res, code, value, headers = {}) => {
  res.writeHead(code, { 'content-type': 'application/json', ...headers });
  res.end(typeof value === 'string' ? value : JSON.stringify(value));
};

const server = http.createServer(async (req, res) => {
  const url = new URL(req.url, 'http://stub');
  const q = url.searchParams;
  if (url.pathname === '/log') {
    if (req.method === 'DELETE') {
      log = [];
      charges = [];
    }
    return json(res, 200, { log, charges });
  }
  const entry = { method: req.method, target: req.url, headers: req.rawHeaders, aborted: false };
  log.push(entry);
  res.on('close', () => {
    if (!res.writableFinished) entry.aborted = true;
  });
  const body = await readBody(req);
  entry.body = body.toString('base64');

  if (url.pathname.startsWith('/echo')) {
    return json(res, 200, { method: req.method, target: req.url, headers: req.headers, body: body.toString('utf8') });
  }
  if (url.pathname.startsWith('/status/')) {
    const code = Number(url.pathname.split('/')[2]);
    const extra = code === 429 ? { 'retry-after': '7' } : {};
    return json(
      res,
      code,
      { title: `stub says ${code}`, detail: 'field "qty" must be at least 1' },
      { 'content-type': 'application/problem+json', ...extra },
    );
  }
  switch (url.pathname) {
    case '/empty204':
      res.writeHead(204);
      return res.end();
    case '/emptyjson':
      return json(res, 200, '');
    case '/notjson':
      return json(res, 200, '<html><body>Maintenance</body></html>');
    case '/csv':
      res.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' });
      return res.end('id,name\r\n1,Zoë\r\n2,"a,b"\r\n');
    case '/cp1252':
      res.writeHead(200, { 'content-type': 'text/plain; charset=windows-1252' });
      return res.end(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0x96, 0x20, 0x35, 0x80]));
    case '/badutf8':
      res.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      return res.end(Buffer.from([0x6f, 0x6b, 0xff, 0xfe, 0x21]));
    case '/png':
      res.writeHead(200, { 'content-type': 'image/png' });
      return res.end(PNG);
    case '/surrogate':
      return json(res, 200, '{"text":"ok \\ud83c end","\\udc00key":1}');
    case '/array':
      return json(res, 200, [{ id: 1 }, { id: 2 }]);
    case '/big':
      return json(res, 200, { blob: 'x'.repeat(Number(q.get('kb') ?? 1024) * 1024) });
    case '/redirect':
      res.writeHead(302, { location: q.get('to') ?? '/echo' });
      return res.end();
    case '/slow': {
      const t = setTimeout(
        () => {
          if (!res.destroyed) json(res, 200, { waited: Number(q.get('ms') ?? 5000) });
        },
        Number(q.get('ms') ?? 5000),
      );
      return res.on('close', () => clearTimeout(t));
    }
    // Books the effect first and then loses the reply: the caller cannot know.
    case '/charge-then-drop':
      charges.push(req.headers['idempotency-key'] ?? null);
      return req.socket.destroy();
    case '/charge':
      charges.push(req.headers['idempotency-key'] ?? null);
      return json(res, 200, { n: charges.length });
    default:
      return json(res, 404, { title: 'no such path', path: url.pathname });
  }
});
server.listen(port, '127.0.0.1', () => console.log(`stub-http on 127.0.0.1:${server.address().port}`));
