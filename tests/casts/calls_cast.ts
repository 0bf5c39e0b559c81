/** Environment with a video call provider at a local URL. */
export function providerEnv(base: string): Record<string, string> {
  return {
    VIDEO_PROVIDER: JSON.stringify({
      name: "Meetings",
      client_id: "sotto",
      client_secret: "quiet",
      authorize_url: `${base}/authorize?theme=paper`,
      token_url: `${base}/token`,
      create_url: `${base}/meetings`,
    }),
  };
}
