/// The types of the standard library, of Foundation and of the framework that a property may have, with the
/// module that their symbols name. Foundation re-exports several such modules.
package enum KnownTypes {
    /// Returns the type of a dotted name, or nil.
    package static func nominal(_ path: [String]) -> NominalType? {
        table[path.joined(separator: ".")]
    }

    /// Returns the type that a name stands for if it is an alias, or nil.
    package static func alias(_ name: String) -> TypeExpression? {
        aliases[name]
    }

    /// Returns the module name that sources write to qualify a type of a module.
    package static func sourceModule(_ module: String) -> String {
        module.hasPrefix("Foundation") ? "Foundation" : module
    }

    private static let aliases: [String: TypeExpression] = [
        "TimeInterval": .name("Double"), "Float32": .name("Float"), "Float64": .name("Double"),
        "CChar": .name("Int8"), "CSignedChar": .name("Int8"), "CUnsignedChar": .name("UInt8"),
        "CShort": .name("Int16"), "CUnsignedShort": .name("UInt16"), "CInt": .name("Int32"),
        "CUnsignedInt": .name("UInt32"), "CLong": .name("Int"), "CUnsignedLong": .name("UInt"),
        "CLongLong": .name("Int64"), "CUnsignedLongLong": .name("UInt64"), "CFloat": .name("Float"),
        "CDouble": .name("Double"), "CBool": .name("Bool"), "unichar": .name("UInt16"),
        "NSPoint": .name("CGPoint"), "NSSize": .name("CGSize"), "NSRect": .name("CGRect"),
        "NSRange": .name("_NSRange"), "NSErrorDomain": .name("NSString"),
        "UnicodeScalar": .name("Unicode", "Scalar"),
        "Codable": .composition([.name("Decodable"), .name("Encodable")]),
    ]

    private static let table: [String: NominalType] = {
        var table: [String: NominalType] = [:]
        for (module, kind, names) in list {
            for name in names.split(whereSeparator: \.isWhitespace) {
                let path = name.split(separator: ".").map(String.init)
                let outer = path.dropLast().map { step in
                    NominalType.Step(step, namespaces.contains(step) ? .enumeration : .structure)
                }
                table[String(name)] = NominalType(
                    module: module, steps: outer + [NominalType.Step(path[path.count - 1], kind)])
            }
        }
        return table
    }()

    /// Enums that enclose nested names in the table below.
    private static let namespaces: Set<String> = ["Unicode"]

    private static let list: [(module: String, kind: NominalType.Kind, names: String)] = [
        (
            "Swift", .structure,
            """
            Int Int8 Int16 Int32 Int64 Int128 UInt UInt8 UInt16 UInt32 UInt64 UInt128 Float Double Float16 Bool
            String Substring Character Unicode.Scalar StaticString ObjectIdentifier AnyHashable Duration
            Range ClosedRange PartialRangeFrom PartialRangeThrough PartialRangeUpTo Array ContiguousArray
            ArraySlice Dictionary Set KeyValuePairs CollectionOfOne SIMD2 SIMD3 SIMD4 ContinuousClock
            SuspendingClock ContinuousClock.Instant SuspendingClock.Instant Dictionary.Keys Dictionary.Values
            """
        ),
        ("Swift", .enumeration, "Optional Result Never Unicode"),
        ("Swift", .class, "AnyKeyPath PartialKeyPath KeyPath WritableKeyPath ReferenceWritableKeyPath"),
        (
            "Swift", .protocol,
            """
            Encodable Decodable Hashable Equatable Comparable CustomStringConvertible Identifiable Error
            Sendable SendableMetatype BitwiseCopyable
            """
        ),
        (
            "FoundationEssentials", .structure,
            """
            Date Data UUID URL Decimal Locale TimeZone Calendar DateComponents DateInterval IndexPath
            URLComponents URLQueryItem AttributedString AttributedSubstring
            """
        ),
        ("FoundationEssentials", .enumeration, "Calendar.Identifier Calendar.Component"),
        ("FoundationEssentials", .class, "FileManager ProcessInfo JSONEncoder JSONDecoder"),
        ("FoundationEssentials", .protocol, "ContiguousBytes LocalizedError"),
        (
            "Foundation", .structure,
            """
            IndexSet CharacterSet PersonNameComponents Notification Measurement AffineTransform CGFloat CGPoint
            CGSize CGRect _NSRange NSEdgeInsets
            """
        ),
        (
            "Foundation", .protocol,
            "NSCopying NSMutableCopying NSCoding NSSecureCoding NSObjectProtocol CustomNSError"
        ),
        (
            "Foundation", .class,
            """
            NSObject NSNumber NSDecimalNumber NSString NSMutableString NSDate NSData NSMutableData NSURL NSUUID
            NSValue NSNull NSError NSSet NSMutableSet NSOrderedSet NSMutableOrderedSet NSCountedSet NSArray
            NSMutableArray NSDictionary NSMutableDictionary NSIndexSet NSMutableIndexSet NSIndexPath
            NSAttributedString NSMutableAttributedString NSLocale NSTimeZone NSCalendar NSDateComponents
            NSCharacterSet NSURLComponents NSPersonNameComponents NSRegularExpression NSPredicate
            NSSortDescriptor NSCache Bundle Unit Dimension UnitLength UnitMass UnitDuration
            UnitTemperature UnitVolume UnitSpeed UnitEnergy UnitArea UnitAngle UnitPower UnitPressure
            UnitFrequency Progress Formatter DateFormatter NumberFormatter Operation OperationQueue Timer
            NSMeasurement NSNotification UserDefaults NSCoder ByteCountFormatter ISO8601DateFormatter
            NSAffineTransform
            """
        ),
        (
            "CoreData", .class,
            """
            NSManagedObject NSManagedObjectID NSManagedObjectContext NSManagedObjectModel NSEntityDescription
            NSPersistentStore NSPersistentStoreCoordinator NSFetchRequest NSExpression NSComparisonPredicate
            NSCompoundPredicate ValueTransformer NSSecureUnarchiveFromDataTransformer
            """
        ),
    ]
}
