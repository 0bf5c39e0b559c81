-- Requests of one client, whatever they are answered. Arguments: address of the client, "sign-ins" or "requests".
local address, kind, number = "", "", 0

function init(args)
  address, kind = args[1], args[2]
end

function request()
  number = number + 1
  local headers = { ["X-Forwarded-For"] = address }
  if kind == "requests" then return wrk.format("GET", "/stats", headers) end
  headers["Content-Type"] = "application/x-www-form-urlencoded"
  headers["Sec-Fetch-Site"] = "same-origin"
  return wrk.format("POST", "/login", headers, "username=ada%40example.com&password=wrong" .. number)
end
