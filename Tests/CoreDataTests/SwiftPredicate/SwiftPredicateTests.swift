import CoreData
import Foundation
import Testing

/// Swift's predicates mean the same in SQL, as `NSPredicate` in memory, and in Swift itself.
@Suite("Swift predicates agree with their translations")
@MainActor
struct SwiftPredicateTests {
    private func agreement(_ seed: UInt64) throws -> Agreement { Agreement(fleet: try Fleet(seed: seed)) }

    @Test("Comparisons and logical operators agree with their translations", arguments: [1, 2] as [UInt64])
    func comparisons(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        #expect(try ask.expect(#Predicate<Sailor> { $0.age > 3 }) == "age > 3")
        try ask.expect(#Predicate<Sailor> { $0.age >= 7 && $0.wage < 5 })
        try ask.expect(#Predicate<Sailor> { $0.age == 7 || !($0.name < "b") })
        try ask.expect(#Predicate<Sailor> { !($0.age <= 3 && $0.isActive) })
        try ask.expect(#Predicate<Sailor> { $0.age != 7 })
        #expect(try ask.expect(#Predicate<Sailor> { $0.isActive }) == "isActive == 1")
        try ask.expect(#Predicate<Sailor> { !$0.isActive })
        try ask.expect(#Predicate<Sailor> { $0.isActive == ($0.age > 3) })
        try ask.expect(#Predicate<Sailor> { ($0.age > 3) != ($0.wage > 2) })
        try ask.expect(#Predicate<Sailor> { $0.number == $0.age })
        try ask.expect(#Predicate<Sailor> { _ in true }, tells: false)
        try ask.expect(#Predicate<Sailor> { _ in false }, tells: false)
    }

    @Test("Optionals agree with their translations", arguments: [3, 4] as [UInt64])
    func optionals(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        #expect(try ask.expect(#Predicate<Sailor> { $0.nick == nil }) == "nick == nil")
        try ask.expect(#Predicate<Sailor> { $0.nick != nil })
        try ask.expect(#Predicate<Sailor> { $0.nick == "Ann" || $0.nick == "bob" })
        try ask.expect(#Predicate<Sailor> { $0.nick != "Ann" })
        try ask.expect(#Predicate<Sailor> { !($0.nick == "Ann") })
        try ask.expect(#Predicate<Sailor> { ($0.share ?? 0) < 0.4 })
        try ask.expect(#Predicate<Sailor> { !(($0.share ?? 1) < 0.4) })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { $0 > 0.3 } ?? false })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { $0 > 0.3 } ?? true })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { $0 > 0.3 } == nil })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { $0 > 0.3 } == false })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { $0 > 0.3 } != true })
        try ask.expect(#Predicate<Sailor> { $0.isTrained == true })
        try ask.expect(#Predicate<Sailor> { $0.isTrained == false })
        try ask.expect(#Predicate<Sailor> { $0.isTrained == nil })
        try ask.expect(#Predicate<Sailor> { $0.isTrained ?? false })
        try ask.expect(#Predicate<Sailor> { !($0.isTrained ?? true) })
        try ask.expect(#Predicate<Sailor> { $0.share != nil && $0.share! > 0.3 })
        try ask.expect(#Predicate<Sailor> { $0.nick == $0.ship?.flag })
        try ask.expect(#Predicate<Sailor> { $0.share.flatMap { _ in 5 } == 5 })
        let wanted: String? = nil
        try ask.expect(#Predicate<Sailor> { $0.nick == wanted })
        try ask.expect(
            #Predicate<Sailor> { sailor in
                if let nick = sailor.nick { nick < "b" } else { sailor.isActive }
            })
    }

    @Test("Key paths over relationships agree with their translations", arguments: [5, 6] as [UInt64])
    func relationships(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        #expect(
            try ask.expect(#Predicate<Sailor> { $0.ship?.title == "Ship 1" }, tells: false)
                == "ship.title == \"Ship 1\"")
        try ask.expect(#Predicate<Sailor> { $0.ship?.title != "Ship 1" })
        try ask.expect(#Predicate<Sailor> { $0.ship == nil })
        try ask.expect(#Predicate<Sailor> { $0.ship?.flag == nil })
        try ask.expect(#Predicate<Sailor> { $0.ship?.flag != nil })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.ship?.flag == "se" })
        try ask.expect(#Predicate<Sailor> { ($0.mentor?.age ?? 8) > 7 })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.isActive == true })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.isActive != true })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.mentor == nil })
        try ask.expect(#Predicate<Sailor> { $0.ship == $0.mentor?.ship })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.name.contains("o") ?? false })
        try ask.expect(#Predicate<Sailor> { $0.mentor?.name.contains("o") != true })
        try ask.expect(#Predicate<Sailor> { !($0.mentor?.name.contains("o") == true) })
    }

    @Test("String operations agree with their translations", arguments: [7, 8] as [UInt64])
    func strings(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        #expect(try ask.expect(#Predicate<Sailor> { $0.name.contains("a") }) == "name CONTAINS \"a\"")
        try ask.expect(#Predicate<Sailor> { !$0.name.contains("a") })
        try ask.expect(#Predicate<Sailor> { $0.name.contains("_") })
        try ask.expect(#Predicate<Sailor> { $0.name.contains("%") })
        try ask.expect(#Predicate<Sailor> { $0.name.starts(with: "a") })
        try ask.expect(#Predicate<Sailor> { !$0.name.starts(with: "a") })
        try ask.expect(#Predicate<Sailor> { $0.name.contains("") }, tells: false)
        try ask.expect(#Predicate<Sailor> { $0.nick?.starts(with: "") == true })
        try ask.expect(#Predicate<Sailor> { $0.name.contains($0.nick ?? "") })
        try ask.expect(#Predicate<Sailor> { $0.nick?.isEmpty == true }, tells: false)
        try ask.expect(#Predicate<Sailor> { $0.nick?.isEmpty != false })
        try ask.expect(#Predicate<Sailor> { $0.name.count > 3 })
        try ask.expect(#Predicate<Sailor> { $0.nick?.count == 3 })
        try ask.expect(#Predicate<Sailor> { $0.name.localizedStandardContains("E") })
        try ask.expect(#Predicate<Sailor> { !$0.name.localizedStandardContains("zoe") })
        let (same, ascending) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        try ask.expect(#Predicate<Sailor> { $0.name.caseInsensitiveCompare("ANN") == same })
        try ask.expect(#Predicate<Sailor> { $0.name.caseInsensitiveCompare("b") == ascending })
        try ask.expect(#Predicate<Sailor> { $0.name.localizedCompare("ann") != same }, tells: false)
        let pattern = /^a.b$/
        try ask.expect(#Predicate<Sailor> { $0.name.contains(pattern) })
    }

    @Test("Arithmetic and ranges agree with their translations", arguments: [9, 10] as [UInt64])
    func arithmetic(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        try ask.expect(#Predicate<Sailor> { $0.age + 1 > $0.number })
        try ask.expect(#Predicate<Sailor> { $0.age * 2 - 1 > 3 })
        try ask.expect(#Predicate<Sailor> { $0.age / 2 == -3 })
        try ask.expect(#Predicate<Sailor> { $0.age % 4 == -3 })
        try ask.expect(#Predicate<Sailor> { -$0.age > 3 }, tells: false)
        try ask.expect(#Predicate<Sailor> { $0.wage / 2 == 3.5 })
        try ask.expect(#Predicate<Sailor> { $0.price * 2 == 5 })
        try ask.expect(#Predicate<Sailor> { (1...7).contains($0.age) })
        try ask.expect(#Predicate<Sailor> { (1..<7).contains($0.age) }, tells: false)
        try ask.expect(#Predicate<Sailor> { !(1...7).contains($0.age) })
        try ask.expect(#Predicate<Sailor> { (-9...$0.age).contains(7) })
        let ages: ClosedRange<Int64> = 0...7
        try ask.expect(#Predicate<Sailor> { ages.contains($0.age) })
        let grown: PartialRangeFrom<Int64> = 7...
        try ask.expect(#Predicate<Sailor> { grown.contains($0.age) })
    }

    @Test("Captured values of every type agree with their translations", arguments: [11, 12] as [UInt64])
    func values(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        let date = Date(timeIntervalSinceReferenceDate: 0.5)
        try ask.expect(#Predicate<Sailor> { $0.joined > date })
        try ask.expect(#Predicate<Sailor> { $0.born == date }, tells: false)
        try ask.expect(#Predicate<Sailor> { ($0.born ?? date) <= date })
        let badge = Fleet.badges[2]
        try ask.expect(#Predicate<Sailor> { $0.badge == badge }, tells: false)
        let badges = Set(Fleet.badges[..<3])
        try ask.expect(#Predicate<Sailor> { badges.contains($0.badge) })
        let home = URL(string: "http://b.se")!
        try ask.expect(#Predicate<Sailor> { $0.home == home })
        let photo = Data([1, 2])
        try ask.expect(#Predicate<Sailor> { $0.photo == photo })
        let price = Decimal(string: "2.5")!
        try ask.expect(#Predicate<Sailor> { $0.price == price })
        let rank = Sailor.Rank.mate
        try ask.expect(#Predicate<Sailor> { $0.rank == rank })
        let ranks: [Sailor.Rank] = [.mate, .boy]
        try ask.expect(#Predicate<Sailor> { ranks.contains($0.rank) })
        let ages: [Int64] = [1, 7, 99]
        #expect(try ask.expect(#Predicate<Sailor> { ages.contains($0.age) }) == "age IN {1, 7, 99}")
        try ask.expect(#Predicate<Sailor> { !ages.contains($0.age) })
        let nicks: [String?] = ["Ann", nil]
        try ask.expect(#Predicate<Sailor> { nicks.contains($0.nick) })
        let bonus: [Int64: Double] = [1: 2.5, 7: 20]
        try ask.expect(#Predicate<Sailor> { bonus[$0.age] != nil })
        try ask.expect(#Predicate<Sailor> { bonus[$0.age, default: 7] > $0.wage })
    }

    @Test("Collection operations agree with their translations", arguments: [13, 14] as [UInt64])
    func collections(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        #expect(try ask.expect(#Predicate<Sailor> { $0.pupils.isEmpty }) == "pupils.@count == 0")
        try ask.expect(#Predicate<Sailor> { $0.pupils.count > 1 })
        try ask.expect(#Predicate<Sailor> { $0.friends != nil }, tells: false)
        try ask.expect(#Predicate<Sailor> { ($0.friends?.count ?? 0) > 1 })
        try ask.expect(#Predicate<Sailor> { $0.pupils.contains { $0.age > 7 } })
        try ask.expect(#Predicate<Sailor> { !$0.pupils.contains { $0.nick == nil } })
        try ask.expect(#Predicate<Sailor> { $0.pupils.allSatisfy { $0.isActive } })
        try ask.expect(#Predicate<Sailor> { $0.pupils.allSatisfy { $0.nick?.contains("a") == true } })
        try ask.expect(#Predicate<Sailor> { $0.pupils.filter { $0.age > 3 }.count == 1 })
        try ask.expect(#Predicate<Sailor> { sailor in sailor.pupils.contains { $0.age > sailor.age } })
        try ask.expect(#Predicate<Sailor> { $0.pupils.contains { $0.pupils.contains { $0.isActive } } })
        try ask.expect(#Predicate<Sailor> { $0.pupils.filter { $0.isActive }.allSatisfy { $0.wage > 2 } })
        try ask.expect(#Predicate<Sailor> { $0.mentor.flatMap { $0.pupils.count > 1 } ?? false })
        try ask.expect(#Predicate<Sailor> { $0.ship.flatMap { $0.crew.flatMap { $0.count > 5 } } == true })
        let parts = ["a", "o"]
        try ask.expect(#Predicate<Sailor> { sailor in parts.contains { sailor.name.contains($0) } })
        try ask.expect(#Predicate<Sailor> { sailor in parts.allSatisfy { !sailor.name.contains($0) } })
        try ask.expect(#Predicate<Sailor> { sailor in parts.filter { sailor.name.contains($0) }.count == 1 })
        let ages: [Int64] = [3, 7]
        try ask.expect(#Predicate<Sailor> { $0.age >= ages.max()! })
        try ask.expect(#Predicate<Sailor> { $0.age > ages.min() ?? 0 })
    }

    @Test("Conditional expressions and casts agree with their translations", arguments: [15, 16] as [UInt64])
    func choices(_ seed: UInt64) throws {
        let ask = try agreement(seed)
        try ask.expect(#Predicate<Sailor> { ($0.isActive ? $0.age : $0.number) > 7 })
        try ask.expect(#Predicate<Sailor> { $0.isActive ? $0.age > 7 : $0.nick == nil })
        try ask.expect(
            #Predicate<Sailor> { sailor in if sailor.isActive { sailor.age > 7 } else { sailor.wage > 2 } })
        try ask.expect(#Predicate<Sailor> { $0 is Captain })
        try ask.expect(#Predicate<Sailor> { !($0 is Captain) })
        try ask.expect(#Predicate<Sailor> { ($0 as? Captain)?.medals == 1 }, tells: false)
        try ask.expect(#Predicate<Sailor> { (($0 as? Captain)?.medals ?? 3) > 1 })
        try ask.expect(#Predicate<Sailor> { $0.mentor is Captain })
        try ask.expect(#Predicate<Sailor> { $0.pupils.contains { $0 is Captain } }, tells: false)
    }
}
