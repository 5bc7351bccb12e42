import { describe, expect, it } from 'vitest';
import { expandTemplate, templateVariables } from './uri-template';

// Values and expansions of RFC 6570 §3.2.
const values = { var: 'value', hello: 'Hello World!', path: '/foo/bar', empty: '', x: '1024', y: '768', half: '50%' };

describe('a URI template', () => {
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{empty}X', 'OX'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['{var:3}', 'val'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+half}', '50%25'],
    ['{+hello}', 'Hello%20World!'],
    ['{#path,x}', '#/foo/bar,1024'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{?undef}', ''],
    ['orders://{var*}', 'orders://value'],
  ])('expands %s to %s', (template, uri) => {
    expect(expandTemplate(template, values)).toBe(uri);
  });

  it('names its variables, each once', () => {
    expect(templateVariables('db://{table}/{id:3}{?table,limit*}')).toEqual(['table', 'id', 'limit']);
  });
});
