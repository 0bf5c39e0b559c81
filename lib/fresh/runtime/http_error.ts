/** An error that becomes the response's status; an empty message is shown as the status's own text. */
export class HttpError extends Error {
  status: number;

  constructor(status: number, message?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = this.constructor.name;
    this.status = status;
  }
}
