/** What a browser is shown instead of a page: the status, what is wrong, and the way home. */
export function ErrorPage({ status, message, requestId }: { status: number; message: string; requestId: string }) {
  return (
    <main>
      <h1>{status}</h1>
      <p>{message}</p>
      <p>{requestId}</p>
      <a href="/">Home</a>
    </main>
  );
}
