/** An argument, or what it was made into, cannot be sent. The message is for the caller of the tool. */
export class ArgumentRefused extends Error {
  override readonly name = 'ArgumentRefused';
}
