export { API_KEY_PREFIX, type MintedApiKey, mintApiKey, type ParsedApiKey, parseApiKey } from './api-keys.js';
export { equalSecrets, sha256 } from './hash.js';
export { MasterKeys, type Purpose, type Subkey } from './master-keys.js';
export { hashPassword, PasswordsBusyError, verifyPassword } from './passwords.js';
export { PLAYGROUND_TOKEN_PREFIX, type PlaygroundGrant, PlaygroundTokens } from './playground-tokens.js';
export { SealError, Sealer } from './sealer.js';
export { isSessionToken, mintSessionToken, SESSION_TOKEN_PREFIX } from './session-tokens.js';
