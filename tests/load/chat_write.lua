-- Each thread has one connection, so that what it sends comes in order. Arguments: method, path, a file with a line for
-- each thread: two bodies, sent alternately, and the Authorization header, separated by tabs.
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

local pair, at = {}, 1

function init(args)
  local line_number = 0
  for line in io.lines(args[3]) do
    line_number = line_number + 1
    if line_number == number then
      local first, second, authorization = line:match("([^\t]*)\t([^\t]*)\t([^\t]*)")
      local headers = {
        ["Authorization"] = authorization,
        ["Content-Type"] = "application/x-www-form-urlencoded",
      }
      pair = { wrk.format(args[1], args[2], headers, first), wrk.format(args[1], args[2], headers, second) }
    end
  end
end

-- wrk asks for a request that it never sends, so that only an answer moves on.
function request()
  return pair[at]
end

function response()
  at = at % 2 + 1
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
