-- Requests of many clients, each at an address of its own. Argument: number of clients.
local clients, number = 50, 0
local headers = {}

function init(args)
  clients = tonumber(args[1])
  for at = 1, clients do
    headers[at] = { ["Content-Type"] = "application/json", ["X-Forwarded-For"] = "203.0.113." .. at }
  end
end

function request()
  number = number + 1
  local own = headers[number % clients + 1]
  if number % 4 == 0 then return wrk.format("POST", "/", own, '{"url":"https://example.com/' .. number .. '"}') end
  return wrk.format("GET", "/stats", own)
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
