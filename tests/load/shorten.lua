-- Shortens a different URL with each request.
local number = 0
local headers = { ["Content-Type"] = "application/json" }

function request()
  number = number + 1
  local body = '{"url":"https://example.com/articles/' .. number .. '?source=load"}'
  return wrk.format("POST", "/", headers, body)
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
