-- Resolves stored URLs at random. Arguments: file of the alphabet's escaped characters, size of the set, its stride.
local characters, size, stride = {}, 1, 1

function init(args)
  for line in io.lines(args[1]) do characters[#characters + 1] = line end
  size, stride = tonumber(args[2]), tonumber(args[3])
  math.randomseed(4711)
end

-- The same numbering as in seeding.ts.
local function path(index)
  local rest, parts = (index * 999983) % ((#characters) ^ 7), {}
  for at = 1, 7 do
    parts[at] = characters[rest % #characters + 1]
    rest = math.floor(rest / #characters)
  end
  return "/" .. table.concat(parts)
end

local known = {}

function request()
  local index = math.random(0, size - 1) * stride
  local text = known[index]
  if text == nil then
    text = wrk.format("GET", path(index))
    if size <= 1000 then known[index] = text end
  end
  return text
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
