import CoreData

extension CodingUserInfoKey {
    /// Where the decoder finds the context that new objects go to.
    public static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

enum DecoderError: Error {
    case missingManagedObjectContext
}

extension JSONDecoder {
    public convenience init(context: NSManagedObjectContext) {
        self.init()
        userInfo[.managedObjectContext] = context
    }
}

extension Decoder {
    func managedObjectContext() throws -> NSManagedObjectContext {
        guard let context = userInfo[.managedObjectContext] as? NSManagedObjectContext else {
            throw DecoderError.missingManagedObjectContext
        }
        return context
    }
}
