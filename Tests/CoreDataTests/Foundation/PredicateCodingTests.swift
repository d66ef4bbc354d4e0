import CoreData
import Testing

private typealias NSExpression = CoreData.NSExpression
private typealias NSComparisonPredicate = CoreData.NSComparisonPredicate
private typealias NSCompoundPredicate = CoreData.NSCompoundPredicate

@Suite("Archives of predicates and expressions")
struct PredicateCodingTests {
    private func copy(_ predicate: NSPredicate) throws -> NSPredicate? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
    }

    private func copy(_ expression: NSExpression) throws -> NSExpression? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
    }

    @Test(
        "Every form of predicate is equal after secure archiving",
        arguments: [
            "TRUEPREDICATE", "FALSEPREDICATE", "name == \"x\"", "a.b.c != nil",
            "a < 1 AND (b >= 2.5 OR NOT c <= 3)",
            "name CONTAINS[cdnl] \"x\"", "name BEGINSWITH \"x\"", "name ENDSWITH[c] \"x\"",
            "name LIKE \"x*\"",
            "name MATCHES \"x.\"", "a IN {1, b, $c}", "a BETWEEN {1, 2}", "ANY a.b == 1", "ALL a.b == 1",
            "NONE a.b == 1",
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y == 1).@count > 0).@count == 2",
            "TERNARY(a == 1, b, c) == SELF",
            "a UNION b == c INTERSECT d MINUS e", "sum:(a) + b ** 2 == a[FIRST]",
            "now() > CAST(5.000000, \"NSDate\")",
            "FUNCTION(a, \"length\") == 2", "ANYKEY == 1", "a.@distinctUnionOfObjects.b == $x.y",
            "a IN FETCH($request, $context, NO)", "a == FETCH($request, $context, YES)",
        ])
    func predicates(format: String) throws {
        let predicate = NSPredicate(format: format)
        let read = try #require(try copy(predicate))
        #expect(read == predicate)
        #expect(read.description == predicate.description)
        #expect(type(of: read) == type(of: predicate))
    }

    @Test("Constants of every kind are archived, also in lists")
    func constants() throws {
        let values: [Any?] = [
            nil, 1, 2.5, true, "text", Date(timeIntervalSinceReferenceDate: 1.25), Data([1, 2]), UUID(),
            URL(string: "http://a.b/c")!, Decimal(string: "0.123456789012345678901")!,
            [1, "a", NSNull()] as [Any], [[1, 2], [Decimal(string: "-0.5")!]],
            Set(["a", "b"]),
        ]
        for value in values {
            let expression = NSExpression(forConstantValue: value)
            #expect(try copy(expression) == expression, "\(expression)")
        }
    }

    @Test("An archive has Apple's class names and keys, for readers that know no others")
    func names() throws {
        let predicate = NSPredicate(format: "a.b == 1 AND TRUEPREDICATE")
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let archive = try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any]).compactMap { $0 as? [String: Any] }
        let hints = objects.compactMap { ($0["$classhints"] as? [String])?.first }
        #expect(
            Set(hints) == [
                "NSCompoundPredicate", "NSComparisonPredicate", "NSTruePredicate",
                "NSEqualityPredicateOperator",
                "NSKeyPathExpression", "NSKeyPathSpecifierExpression", "NSSelfExpression",
                "NSConstantValueExpression",
            ])
        let keys = Set(objects.flatMap(\.keys))
        #expect(
            keys.isSuperset(of: ["NSLeftExpression", "NSPredicateOperator", "NSOperatorType", "NSKeyPath"]))
    }

    @Test("An archive with Apple's class names is read")
    func foreign() throws {
        // Like Apple's archive except for the order of its objects: the classes have Apple's names.
        let predicate = NSPredicate(
            format: "a.b ==[c] \"x\" OR NOT c < $d OR FALSEPREDICATE OR sum:(e) IN {1, 2} "
                + "OR f == FETCH($g, $h, YES)")
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        var format = PropertyListSerialization.PropertyListFormat.binary
        let coder = try NSKeyedUnarchiver(forReadingFrom: try Self.renamed(data, &format))
        coder.requiresSecureCoding = true
        #expect(coder.decodeObject(of: NSPredicate.self, forKey: NSKeyedArchiveRootObjectKey) == predicate)
    }

    /// Returns the archive with its classes' fallbacks as their names.
    private static func renamed(
        _ data: Data, _ format: inout PropertyListSerialization.PropertyListFormat
    ) throws -> Data {
        let archive = try PropertyListSerialization.propertyList(
            from: data, options: .mutableContainersAndLeaves, format: &format)
        let plist = try #require(archive as? [String: Any])
        let objects = try #require(plist["$objects"] as? [Any]).map { object -> Any in
            guard var fields = object as? [String: Any], let hints = fields["$classhints"] as? [String] else {
                return object
            }
            fields["$classname"] = hints[0]
            fields["$classes"] = hints + ["NSObject"]
            fields["$classhints"] = nil
            return fields
        }
        return try PropertyListSerialization.data(
            fromPropertyList: plist.merging(["$objects": objects]) { $1 }, format: format, options: 0)
    }

    @Test("Subclasses are decoded as themselves")
    func subclasses() throws {
        let comparison = try #require(NSPredicate(format: "a == 1") as? NSComparisonPredicate)
        let data = try NSKeyedArchiver.archivedData(withRootObject: comparison, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSComparisonPredicate.self, from: data)
        #expect(read == comparison)
        let made = NSCompoundPredicate(orPredicateWithSubpredicates: [comparison, NSPredicate(value: false)])
        #expect(try copy(made)?.description == "a == 1 OR FALSEPREDICATE")
        #expect(try copy(NSPredicate(value: true)) == NSPredicate(value: true))
    }

    @Test("A fetch request expression is archived")
    func fetches() throws {
        let fetch = NSFetchRequestExpression.expression(
            forFetch: NSExpression(format: "$request"), context: NSExpression(format: "$context"),
            countOnly: true)
        let read = try #require(try copy(fetch) as? NSFetchRequestExpression)
        #expect(read == fetch)
        #expect(read.isCountOnlyRequest)
        #expect(read.requestExpression.variable == "request")
        #expect(read.contextExpression.variable == "context")
    }

    @Test("Parts that Foundation considers equal to the whole are archived as themselves")
    func parts() throws {
        // Repeated, since equal objects with different hashes collide only by chance.
        for _ in 0..<50 {
            let inner = NSCompoundPredicate(
                andPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), NSPredicate(value: false)])
            let outer = NSCompoundPredicate(
                orPredicateWithSubpredicates: [inner, NSPredicate(format: "FALSEPREDICATE"), inner])
            let printed = "(a == 1 AND FALSEPREDICATE) OR FALSEPREDICATE OR (a == 1 AND FALSEPREDICATE)"
            #expect(try copy(outer)?.description == printed)
        }
    }

    @Test("A custom selector is archived")
    func selectors() throws {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forKeyPath: "b"),
            customSelector: "isEqual:")
        #expect((try copy(predicate) as? NSComparisonPredicate)?.customSelector == Selector("isEqual:"))
    }
}
