-- Resolves stored URLs at random. Arguments: file of the alphabet's escaped characters, size of the set, its stride,
-- and "zipf" for a distribution in which the number of visits falls with the rank.
local characters, size, stride, distribution = {}, 1, 1, "uniform"

function init(args)
  for line in io.lines(args[1]) do characters[#characters + 1] = line end
  size, stride = tonumber(args[2]), tonumber(args[3])
  distribution = args[4] or distribution
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

local function pick()
  if distribution == "zipf" then return math.floor(size ^ math.random()) - 1 end
  return math.random(0, size - 1)
end

function request()
  local index = pick() * stride
  local text = known[index]
  if text == nil then
    text = wrk.format("GET", path(index))
    if size <= 1000 then known[index] = text end
  end
  return text
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "report.lua")
