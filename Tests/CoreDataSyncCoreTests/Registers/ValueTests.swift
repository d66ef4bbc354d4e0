import CoreDataSyncCore
import Foundation
import Testing

@Suite("Canonical values")
struct ValueTests {
    @Test("Numbers that are equal have one form")
    func numbers() {
        #expect(SyncValue.real(0) == .real(-0.0))
        #expect(SyncValue.real(.nan) == .real(-Double.nan))
        #expect(SyncValue.real(.nan).stableHash == SyncValue.real(Double.signalingNaN).stableHash)
        #expect(SyncValue.date(seconds: 0) != .real(0))
        #expect(SyncValue.integer(1) != .boolean(true))
    }

    @Test(
        "Decimals that are equal have one text",
        arguments: [
            ("1.50", "1.5"), ("-0", "0"), ("000.0", "0"), ("0012", "12"), ("1200", "1200"), ("-0.10", "-0.1"),
        ])
    func decimals(text: String, canonical: String) {
        #expect(CanonicalDecimal(text)?.text == canonical)
        #expect(CanonicalDecimal(Decimal(string: text)!)?.text == canonical)
    }

    @Test(
        "A text that is no decimal gives none",
        arguments: ["", "-", ".", "1.", ".5", "1e5", "١", "1,5", " 1", "--1", "NaN"])
    func noDecimals(text: String) {
        #expect(CanonicalDecimal(text) == nil)
    }

    @Test("A decimal has at most 38 digits")
    func longDecimals() {
        #expect(CanonicalDecimal(String(repeating: "7", count: 38)) != nil)
        #expect(CanonicalDecimal(String(repeating: "7", count: 39)) == nil)
        #expect(CanonicalDecimal("1" + String(repeating: "0", count: 127)) != nil)
    }

    @Test("Strings differ if their bytes do")
    func strings() {
        #expect("é" == "e\u{301}")
        #expect(SyncValue.string("é") != .string("e\u{301}"))
        #expect(SyncValue.string("é").stableHash != SyncValue.string("e\u{301}").stableHash)
    }

    @Test("The order of values is total, and agrees with equality")
    func order() {
        for seed in 0..<UInt64(5000) {
            var random = SeededGenerator(seed)
            let (a, b, c) = (random.value(), random.value(), random.value())
            #expect([a < b, a == b, b < a].count { $0 } == 1, "seed \(seed): \(a), \(b)")
            if a < b, b < c { #expect(a < c, "seed \(seed)") }
            if a == b { #expect(a.stableHash == b.stableHash, "seed \(seed)") }
        }
        #expect(SyncValue.real(-3) < .real(1.5))
        #expect(SyncValue.real(-.infinity) < .real(-3))
    }

    @Test("Hashes are the same in every version")
    func hashes() {
        #expect(SyncValue.null.stableHash == 0x25FC_6DD3_6CE0_4B20)
        #expect(SyncValue.string("Atlas").stableHash == 0x83AD_404A_AC14_325F)
        #expect(
            SyncID(entity: "Book", identity: [.string("978-3")]).description
                == "59EB0BA9-DE69-8077-ABAF-6070BAE65B16")
    }

    @Test("An ID of an identity depends on the entity and on each value")
    func identity() {
        let ids = [
            SyncID(entity: "Book", identity: [.string("a"), .string("b")]),
            SyncID(entity: "Book", identity: [.string("ab"), .string("")]),
            SyncID(entity: "Tag", identity: [.string("a"), .string("b")]),
            SyncID(entity: "Book", identity: [.string("a")]),
        ]
        #expect(Set(ids).count == 4)
        #expect(ids.allSatisfy { $0.high >> 12 & 15 == 8 && $0.low >> 62 == 2 })
    }

    @Test("A random ID begins with the time and is a UUID of version 7")
    func randomIDs() {
        var random = SeededGenerator(1)
        let id = SyncID(milliseconds: 0x1_2345_6789, random: &random)
        #expect(id.description.hasPrefix("00012345-6789-7"))
        #expect(id.low >> 62 == 2)
        #expect(SyncID(id.uuid) == id)
        #expect(SyncID(milliseconds: 9, random: &random) < SyncID(milliseconds: 10, random: &random))
    }
}
