import CoreData
import Testing

private typealias NSExpression = CoreData.NSExpression
private typealias NSCompoundPredicate = CoreData.NSCompoundPredicate

@Suite("Damaged and hostile archives")
struct DamagedArchiveTests {
    private static func archive(_ object: NSObject) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns a predicate with every kind of content.
    private static func predicate() -> NSPredicate {
        NSPredicate(
            format: "NOT (a ==[c] %@ OR sum:(c) IN {%@, $d})", Decimal(string: "1.5")!,
            Date(timeIntervalSinceReferenceDate: 3))
    }

    @Test("Damaged bytes are refused or misread, but never crash the program")
    func bytes() throws {
        let sound = try Self.archive(Self.predicate())
        for position in sound.indices {
            var damaged = sound
            damaged[position] = position % 2 == 0 ? 0xFF : sound[position] ^ 1
            let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: damaged)
            // A misread predicate is still a predicate.
            _ = read?.description.hashValue
        }
        for length in stride(from: 0, to: sound.count, by: 16) {
            #expect(throws: CocoaError.self) {
                try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: sound[..<length])
            }
        }
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: sound)
                == Self.predicate())
    }

    @Test("Archives with wrong or cyclic references are refused or misread, and reading terminates")
    func references() throws {
        let sound = try Self.archive(NSPredicate(format: "NOT (a ==[c] \"x\" OR $b IN {1})"))
        // A reference is the marker 0x80 and a number.
        for position in sound.indices.dropLast(33) where sound[position] == 0x80 {
            for target in 0..<32 {
                var damaged = sound
                damaged[position + 1] = UInt8(target)
                let read = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: damaged)
                _ = read?.description.hashValue
            }
        }
    }

    /// Returns the archive with the elements of its arrays replaced; the body receives them and a reference
    /// to the root.
    private static func replacingElements(of data: Data, _ body: ([Any], Any) -> [Any]) throws -> Data {
        var format = PropertyListSerialization.PropertyListFormat.binary
        let list = try PropertyListSerialization.propertyList(from: data, format: &format)
        var archive = try #require(list as? [String: Any])
        let root = try #require((archive["$top"] as? [String: Any])?["root"])
        let objects = try #require(archive["$objects"] as? [Any])
        archive["$objects"] = objects.map { object -> Any in
            guard var fields = object as? [String: Any], let elements = fields["NS.objects"] as? [Any] else {
                return object
            }
            fields["NS.objects"] = body(elements, root)
            return fields
        }
        return try PropertyListSerialization.data(fromPropertyList: archive, format: format, options: 0)
    }

    /// Returns the predicate or the error of Foundation's unarchiver.
    private func decoded(_ data: Data) throws -> (NSPredicate?, (any Error)?) {
        let coder = try NSKeyedUnarchiver(forReadingFrom: data)
        coder.requiresSecureCoding = true
        coder.decodingFailurePolicy = .setErrorAndReturn
        let predicate = coder.decodeObject(of: NSPredicate.self, forKey: NSKeyedArchiveRootObjectKey)
        return (predicate, coder.error)
    }

    @Test("A predicate that contains itself is an error")
    func circles() throws {
        let sound = try Self.archive(NSPredicate(format: "NOT $a == 1"))
        let data = try Self.replacingElements(of: sound) { _, root in [root] }
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        }
        let (predicate, error) = try decoded(data)
        #expect(predicate == nil)
        #expect((error as? CocoaError)?.code == .coderReadCorrupt)
    }

    @Test("Every tree that a format can express is read from an archive, deeper trees are an error")
    func depth() throws {
        let shapes = [
            ("(a + ", "1", ") == b"), ("abs:(", "a", ") == b"), ("NOT (a == 1 AND ", "b == 2", ")"),
            ("SUBQUERY(a, $x, ", "b == 2", ").@count == 0"), ("TERNARY(a == 1, b, ", "c", ") == d"),
        ]
        for (start, middle, end) in shapes {
            func format(_ count: Int) -> String {
                let close = end.hasSuffix(" == b") || end.hasSuffix(" == d") ? ")" : end
                return String(repeating: start, count: count) + middle
                    + String(repeating: close, count: count - 1) + end
            }
            let deepest = try #require(
                (1...100).reversed().lazy.compactMap { try? NSPredicate(validating: format($0)) }.first)
            let data = try Self.archive(deepest)
            #expect(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) == deepest)
            #expect(try decoded(data).0 == deepest)
        }

        var expression = NSExpression(forKeyPath: "a")
        for _ in 0..<140 { expression = NSExpression(forFunction: "abs:", arguments: [expression]) }
        let tooDeep = try Self.archive(
            NSComparisonPredicate(
                leftExpression: expression, rightExpression: NSExpression(forConstantValue: 1),
                modifier: .direct, type: .equalTo))
        #expect(throws: CocoaError.self) {
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: tooDeep)
        }
        let (predicate, error) = try decoded(tooDeep)
        #expect(predicate == nil)
        #expect(error != nil)
    }

    @Test("An archive whose parts double at each level is refused")
    func doubling() throws {
        var expression = NSExpression(forVariable: "a")
        for _ in 0..<40 { expression = NSExpression(forFunction: "abs:", arguments: [expression]) }
        let data = try Self.replacingElements(of: Self.archive(expression)) { elements, _ in
            elements + elements
        }
        #expect(throws: CocoaError.self) {
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
        }
    }

    @Test("An archive of an unexpected class is an error")
    func wrongClass() throws {
        let comparison = try Self.archive(NSPredicate(format: "a == 1"))
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSCompoundPredicate.self, from: comparison)
        }
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: comparison)
        }
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSSortDescriptor.self, from: comparison)
        }
        let names = try Self.archive(["a", "b"] as NSArray)
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: names)
        }
    }
}
