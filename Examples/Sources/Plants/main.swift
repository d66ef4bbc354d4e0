import CoreData

let household = try Household(storeAt: URL(fileURLWithPath: "Plants.sqlite"))
let words = Array(CommandLine.arguments.dropFirst())
if words.count == 3, words[0] == "add" {
    try household.add(words[1], room: words[2])
}

if words.count == 2, words[0] == "water" {
    try household.water(words[1])
}

for room in try household.rooms().sections ?? [] {
    print(room.name)
    for plant in room.objects as? [Plant] ?? [] { print("    \(plant.name ?? "")") }
}

for plant in try household.thirsty() { print("\(plant.name ?? "") wants water") }
