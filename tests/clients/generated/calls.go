// Makes the calls of the test with the client that was generated for Go.
package main

import (
	"calls/sotto"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// Returns the result of a call, or ends the program with its error.
func must[T any](result T, response any, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err, response)
		os.Exit(1)
	}
	return result
}

func main() {
	url, email, key := os.Args[1], os.Args[2], os.Args[3]
	configuration := sotto.NewConfiguration()
	configuration.Servers = sotto.ServerConfigurations{{URL: url}}
	client := sotto.NewAPIClient(configuration)
	stranger := context.Background()
	account := sotto.BasicAuth{UserName: email, Password: key}
	ctx := context.WithValue(stranger, sotto.ContextBasicAuth, account)

	settings := must(client.AuthenticationAPI.GetServerSettings(stranger).Execute())
	long := *sotto.NewLongUrl("https://example.com/rose")
	shortened := must(client.ShortURLsAPI.PostRoot(stranger).LongUrl(long).Execute())
	user := must(client.UsersAPI.GetUsersMe(ctx).Execute())
	subscribers := fmt.Sprintf("[%d]", user.UserId)
	must(client.ChannelsAPI.PostChannelsCreate(ctx).Name("Garden").Subscribers(subscribers).Execute())
	sent := must(client.MessagesAPI.PostMessages(ctx).Type_("channel").To("Garden").Topic("roses").
		Content("Prune them").Execute())
	narrow := `[{"operator": "topic", "operand": "roses"}]`
	read := must(client.MessagesAPI.GetMessages(ctx).Anchor("newest").NumBefore(1).NumAfter(0).
		Narrow(narrow).Execute())
	contents := []string{}
	for _, message := range read.Messages {
		contents = append(contents, message.Content)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"realm": settings.RealmName,
		"user":  user.UserId,
		"sent":  sent.Id,
		"read":  contents,
		"short": shortened.Short,
	})
}
