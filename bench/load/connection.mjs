// A small HTTP/1.1 reader on raw sockets.
import net from 'node:net';
import { config } from './config.mjs';

const { hostname, port } = new URL(config.url);
const EMPTY = Buffer.alloc(0);
let reconnects = 0;

/** How often a connection that the server had closed was opened again. */
export const reconnected = () => reconnects;

/** One connection: one request at a time, its answer read with as little work as possible. */
export class Conn {
  constructor() {
    this.cb = null;
    this.reset();
    this.sock = null;
  }
  reset() {
    this.pending = null;
    this.state = 0; // 0 head, 1 fixed length, 2 chunked
    this.parts = null;
    this.left = 0;
  }
  open() {
    return new Promise((ok, no) => {
      const s = net.connect({ host: hostname, port: Number(port || 80), noDelay: true }, () => ok(this));
      this.sock = s;
      s.on('data', (c) => this.data(c));
      s.on('error', (e) => {
        no(e);
        this.gone(e);
      });
      s.on('close', () => this.gone());
    });
  }
  gone(e) {
    if (this.dead) return;
    this.dead = true;
    const cb = this.cb;
    this.cb = null;
    if (cb) cb(0, String(e ?? 'closed'), Buffer.alloc(0));
  }
  send(str, cb) {
    this.cb = cb;
    if (this.dead) {
      this.dead = false;
      this.reset();
      reconnects++;
      this.open().then(
        () => this.sock.write(str, 'latin1'),
        () => {},
      );
    } else this.sock.write(str, 'latin1');
  }
  data(chunk) {
    if (this.pending !== null) {
      chunk = Buffer.concat([this.pending, chunk]);
      this.pending = null;
    }
    let pos = 0;
    for (;;) {
      if (this.state === 0) {
        const e = chunk.indexOf('\r\n\r\n', pos, 'latin1');
        if (e < 0) break;
        this.head = chunk.latin1Slice(pos, e);
        this.status = +this.head.slice(9, 12);
        pos = e + 4;
        const low = (this.lhead = this.head.toLowerCase());
        this.parts = [];
        const cl = low.indexOf('\r\ncontent-length:');
        if (low.indexOf('\r\ntransfer-encoding: chunked') >= 0) this.state = 2;
        else {
          this.left = cl >= 0 ? parseInt(low.slice(cl + 17, cl + 30), 10) : 0;
          this.state = 1;
          if (this.left === 0) {
            this.done();
            continue;
          }
        }
        if (this.onhead) this.onhead(this.status, this.lhead);
      }
      if (this.state === 1) {
        const n = Math.min(this.left, chunk.length - pos);
        if (n > 0) {
          this.parts.push(chunk.subarray(pos, pos + n));
          pos += n;
          this.left -= n;
        }
        if (this.left > 0) break;
        this.done();
        if (pos >= chunk.length) break;
        continue;
      }
      if (this.state === 2) {
        const e = chunk.indexOf(10, pos);
        if (e < 0) break;
        const size = parseInt(chunk.latin1Slice(pos, e), 16);
        if (chunk.length < e + 1 + size + 2) break;
        if (size === 0) {
          pos = e + 3;
          this.done();
          if (pos >= chunk.length) break;
          continue;
        }
        const piece = chunk.subarray(e + 1, e + 1 + size);
        if (this.onpiece) this.onpiece(piece);
        else this.parts.push(piece);
        pos = e + 1 + size + 2;
      }
    }
    if (pos < chunk.length) this.pending = pos === 0 ? chunk : chunk.subarray(pos);
  }
  done() {
    const body = this.parts.length === 1 ? this.parts[0] : this.parts.length === 0 ? EMPTY : Buffer.concat(this.parts);
    this.state = 0;
    this.parts = null;
    if (this.lhead.indexOf('\r\nconnection: close') >= 0) this.sock.destroy();
    const cb = this.cb;
    this.cb = null;
    if (cb) cb(this.status, this.lhead, body);
  }
}
