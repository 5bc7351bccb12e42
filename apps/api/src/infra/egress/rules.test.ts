import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { AllowList, hostCovered } from './allow-list.js';
import { checkUrlShape } from './rules.js';

const allow = (...entries: string[]) => ({ allow: [AllowList.parse(entries)] });

describe('checkUrlShape', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.9.9.9/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://１２７.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST../',
    'http://foo.localhost/',
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::8.8.8.8]/',
    'http://[64:ff9b:1::1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::1]/',
    'http://[2001:db8::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://192.0.0.192/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://metadata/',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./',
  ])('refuses %s', (url) => {
    expect(checkUrlShape(url)).toMatch(/may not be reached|can be reached|not an absolute URL/);
  });

  it.each([
    ['ftp://example.com/', /only http: and https:/],
    ['file:///etc/passwd', /only http: and https:/],
    ['//example.com/', /not an absolute URL/],
    ['http://user:pw@example.com/', /user name or password/],
    ['http://@example.com/', /user name or password/],
    ['http://example.com\\@127.0.0.1/', /backslashes/],
    ['http://exam\nple.com/', /control characters/],
    [' http://example.com/', /spaces/],
    ['http://example.com:0/', /no host or port/],
  ])('refuses the shape of %s', (url, reason) => {
    expect(checkUrlShape(url)).toMatch(reason);
  });

  it.each([
    'https://api.example.com/v1?x=1',
    'http://8.8.8.8:8080/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('lets %s pass', (url) => {
    expect(checkUrlShape(url)).toBeUndefined();
  });
});

describe('exceptions', () => {
  it('open exactly the host and port they name, whatever the spelling', () => {
    const rules = allow('127.0.0.1:9301');
    expect(checkUrlShape('http://127.0.0.1:9301/', rules)).toBeUndefined();
    expect(checkUrlShape('http://0x7f.1:9301/', rules)).toBeUndefined();
    expect(checkUrlShape('http://localhost:9301/', rules)).toBeUndefined();
    expect(checkUrlShape('http://127.0.0.1:9302/', rules)).toBeDefined();
    expect(checkUrlShape('http://127.0.0.2:9301/', rules)).toBeDefined();
  });

  it('open every port of a range', () => {
    expect(checkUrlShape('http://10.1.2.3:81/', allow('10.0.0.0/8'))).toBeUndefined();
    expect(checkUrlShape('http://[fd00::5]:81/', allow('fd00::/8'))).toBeUndefined();
    expect(checkUrlShape('http://11.1.2.3/', allow('10.0.0.0/8'))).toBeUndefined();
    expect(checkUrlShape('http://192.168.2.3/', allow('10.0.0.0/8'))).toBeDefined();
  });

  it.each(['', 'localhost', '10.0.0.0', 'a:b', 'host:99999', 'host:0', '10.0.0.0/64', 'http://x:1'])(
    'that cannot be read (%j) name what was expected',
    (entry) => {
      expect(() => AllowList.parse([entry])).toThrow(/expected host:port/);
    },
  );
});

describe('own ports', () => {
  const everything = [AllowList.parse(['0.0.0.0/0', '::/0', '127.0.0.1:4000', 'localhost:4000', '[::1]:4000'])];
  const own = [{ port: 4000 }];
  const here = Object.values(networkInterfaces()).flatMap((list) => list?.map((entry) => entry.address) ?? []);

  it.each([
    'http://127.0.0.1:4000/',
    'http://127.8.8.8:4000/',
    'http://localhost:4000/',
    'http://localhost.:4000/',
    'http://0.0.0.0:4000/',
    'http://[::]:4000/',
    'http://[::1]:4000/',
    'http://[::ffff:127.0.0.1]:4000/',
    'http://[64:ff9b::127.0.0.1]:4000/',
    'http://2130706433:4000/',
    'http://10.0.0.7:4000/',
  ])('stay closed although allowed: %s', (url) => {
    expect(checkUrlShape(url, { allow: everything, own })).toMatch(/belongs to the platform/);
  });

  it('stay closed at every address of this machine', () => {
    expect(here.length).toBeGreaterThan(0);
    for (const address of here.filter((text) => !text.includes('%'))) {
      const host = address.includes(':') ? `[${address}]` : address;
      expect(checkUrlShape(`http://${host}:4000/`, { allow: everything, own })).toMatch(/belongs to the platform/);
    }
  });

  it('of another node are closed by its host, and leave other machines alone', () => {
    const sister = [
      { port: 4000, host: '10.0.0.7' },
      { port: 443, host: 'gantry.example.com' },
    ];
    expect(checkUrlShape('http://10.0.0.7:4000/', { allow: everything, own: sister })).toMatch(/belongs/);
    expect(checkUrlShape('https://GANTRY.example.com./', { allow: everything, own: sister })).toMatch(/belongs/);
    expect(checkUrlShape('http://10.0.0.8:4000/', { allow: everything, own: sister })).toBeUndefined();
    expect(checkUrlShape('http://8.8.8.8:4000/', { allow: everything, own })).toBeUndefined();
  });
});

describe('hostCovered', () => {
  it.each([
    [['api.example.com'], 'api.example.com', true],
    [['API.example.com.'], 'api.example.com:8443', true],
    [['api.example.com:443'], 'api.example.com:443', true],
    [['api.example.com:8443'], 'api.example.com:443', false],
    [['example.com'], 'api.example.com', false],
    [['api.example.com'], 'api.example.com.evil.test', false],
    [['[::1]:9'], '[::1]:9', true],
    [['::1'], '[::1]:9', true],
    [['127.0.0.1'], '127.0.0.1:9301', true],
  ])('%j for %s is %s', (hosts, target, covered) => {
    expect(hostCovered(hosts, target)).toBe(covered);
  });
});
