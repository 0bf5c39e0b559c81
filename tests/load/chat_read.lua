-- Requests one path as many users, in turn. Arguments: path, file of Authorization headers, method, which is GET by
-- default.
local requests, at = {}, 0

function init(args)
  for line in io.lines(args[2]) do
    requests[#requests + 1] = wrk.format(args[3] or "GET", args[1], { ["Authorization"] = line })
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
