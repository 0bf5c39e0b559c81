/** Messages about channels that several pages show. */
export const channelMessages = {
  /** Kinds of channels, as non-subscribers see them. */
  kinds: {
    public: "Public",
    shared: "Private, shared history",
    protected: "Private, protected history",
    web: "Open to the web",
  },
  topicsPolicies: {
    inherit: "Default",
    allow_empty_topic: "Optional",
    disable_empty_topic: "Required",
    empty_topic_only: "Disabled",
  },
};
