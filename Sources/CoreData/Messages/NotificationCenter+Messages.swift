#if compiler(>=6.2)
public import Foundation

/// Foundation's methods, for the framework's own messages: whoever uses one of these has them posted.
extension NotificationCenter {
    public func addObserver<Identifier: MessageIdentifier, Message: MainActorNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    public func addObserver<Identifier: MessageIdentifier, Message: MainActorNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    public func addObserver<Message: MainActorNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken {
        MessagePosting.start(Message.self)
        return addPlainObserver(of: subject, for: Message.self, using: observer)
    }

    public func addObserver<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: subject, for: Message.self, using: observer)
    }

    public func addObserver<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Identifier.MessageType == Message {
        addObserver(of: nil, for: Message.self, using: observer)
    }

    public func addObserver<Message: AsyncNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken {
        MessagePosting.start(Message.self)
        return addPlainObserver(of: subject, for: Message.self, using: observer)
    }

    public func messages<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
        postedMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    public func messages<Identifier: MessageIdentifier, Message: AsyncNotificationMessage>(
        of subject: Message.Subject.Type, for identifier: Identifier, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable where Identifier.MessageType == Message {
        postedMessages(of: nil, for: Message.self, bufferSize: limit)
    }

    public func messages<Message: AsyncNotificationMessage>(
        of subject: Message.Subject? = nil, for messageType: Message.Type, bufferSize limit: Int = 10
    ) -> some AsyncSequence<Message, Never> & Sendable {
        postedMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    /// What all three have in common. One public method that calls another one keeps optimized clients of a module that is
    /// built for testing from compiling: Swift 6.3 takes their opaque results for different types.
    private func postedMessages<Message: AsyncNotificationMessage>(
        of subject: Message.Subject?, for messageType: Message.Type, bufferSize limit: Int
    ) -> some AsyncSequence<Message, Never> & Sendable {
        MessagePosting.start(Message.self)
        return plainMessages(of: subject, for: Message.self, bufferSize: limit)
    }

    // Without the constraint, the compiler chooses Foundation's methods.

    private func addPlainObserver<Message: MainActorMessage>(
        of subject: Message.Subject?, for messageType: Message.Type,
        using observer: @escaping @MainActor (Message) -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
        addObserver(of: subject, for: messageType, using: observer)
    }

    private func addPlainObserver<Message: AsyncMessage>(
        of subject: Message.Subject?, for messageType: Message.Type,
        using observer: @escaping @Sendable (Message) async -> Void
    ) -> ObservationToken where Message.Subject: AnyObject {
        addObserver(of: subject, for: messageType, using: observer)
    }

    private func plainMessages<Message: AsyncMessage>(
        of subject: Message.Subject?, for messageType: Message.Type, bufferSize limit: Int
    ) -> some AsyncSequence<Message, Never> & Sendable where Message.Subject: AnyObject {
        messages(of: subject, for: messageType, bufferSize: limit)
    }
}
#endif
