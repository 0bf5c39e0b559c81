"""Makes the calls of the test with the client that was generated for Python."""

import json
import sys
from base64 import b64encode

from sotto_client import AuthenticatedClient, Client
from sotto_client.api.authentication import get_server_settings
from sotto_client.api.channels import post_channels_create
from sotto_client.api.messages import get_messages, post_messages
from sotto_client.api.short_ur_ls import post_root
from sotto_client.api.users import get_users_me
from sotto_client.models.long_url import LongUrl
from sotto_client.models.post_channels_create_body import PostChannelsCreateBody
from sotto_client.models.post_messages_body import PostMessagesBody
from sotto_client.models.post_messages_body_type import PostMessagesBodyType

url, email, key = sys.argv[1:]
stranger = Client(base_url=url)
token = b64encode(f"{email}:{key}".encode()).decode()
client = AuthenticatedClient(base_url=url, token=token, prefix="Basic")

settings = get_server_settings.sync(client=stranger)
shortened = post_root.sync(client=stranger, body=LongUrl(url="https://example.com/rose"))
user = get_users_me.sync(client=client)
subscribers = json.dumps([user.user_id])
post_channels_create.sync(
    client=client, body=PostChannelsCreateBody(name="Garden", subscribers=subscribers)
)
sent = post_messages.sync(
    client=client,
    body=PostMessagesBody(
        type_=PostMessagesBodyType.CHANNEL, to="Garden", topic="roses", content="Prune them"
    ),
)
narrow = json.dumps([{"operator": "topic", "operand": "roses"}])
read = get_messages.sync(client=client, anchor="newest", num_before=1, num_after=0, narrow=narrow)
print(
    json.dumps(
        {
            "realm": settings.realm_name,
            "user": user.user_id,
            "sent": sent.id,
            "read": [message.content for message in read.messages],
            "short": shortened.short,
        }
    )
)
