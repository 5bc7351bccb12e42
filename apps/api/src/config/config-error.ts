/** A wrong value in the environment: one line that names the variable and says what was expected. */
export class ConfigError extends Error {
  constructor(
    readonly variable: string,
    expected: string,
  ) {
    super(`${variable}: ${expected}`);
    this.name = 'ConfigError';
  }
}
