// Made of openapi.json by `npm run openapi`. Not to be edited.

export interface Schemas {
  Agent: {
    id: string;
    agent_id: string;
    object: "agent";
    name: string;
    initial_message: string;
    ai_provider: string;
    voice_provider: string;
    system_prompt: string | null;
    model: string | null;
    model_settings: {
      temperature?: number | null;
      max_output_tokens?: number | null;
      reasoning_effort?: string | null;
      max_context_tokens?: number | null;
      url?: string | null;
      headers?: Record<string, string> | null;
    };
    fallbacks: {
      ai?: ({
        provider: string;
        model: string | null;
      })[];
      voice?: ({
        provider: string;
        voice: string | null;
      })[];
      transcription?: ({
        provider: string;
      })[];
    };
    turn_taking: {
      prepare_replies?: boolean | null;
    };
    voice: string | null;
    voice_settings: {
      model?: string | null;
      speed?: number | null;
      normalise?: boolean | null;
      stability?: number | null;
      similarity_boost?: number | null;
      style?: number | null;
      instructions?: string | null;
    };
    language: string;
    languages: (string)[];
    transcription_provider: string | null;
    tools: (Record<string, unknown>)[];
    playbook: Schemas['Playbook'] | null;
    variables: (string)[];
    status: "active" | "inactive";
    is_default: boolean;
    backup_agent_id: string | null;
    phone_numbers: (string)[];
    voicemail: Schemas['VoicemailHandling'];
    missing_variables: "warn" | "refuse";
    region: string | null;
    lookup_url: string | null;
    lookup_secret: string | null;
    metadata: Record<string, unknown>;
    warnings: (Schemas['AgentWarning'])[];
    created_at: string;
    updated_at: string;
  };
  AgentCreate: {
    name: string;
    initial_message?: string | null;
    ai_provider?: string | null;
    voice_provider?: string | null;
    transcription_provider?: string | null;
    system_prompt?: string | null;
    model?: string | null;
    voice?: string | null;
    voice_settings?: {
      model?: string | null;
      speed?: number | null;
      normalise?: boolean | null;
      stability?: number | null;
      similarity_boost?: number | null;
      style?: number | null;
      instructions?: string | null;
    } | null;
    language?: string | null;
    languages?: (string)[] | null;
    model_settings?: {
      temperature?: number | null;
      max_output_tokens?: number | null;
      reasoning_effort?: string | null;
      max_context_tokens?: number | null;
      url?: string | null;
      headers?: Record<string, string> | null;
    } | null;
    fallbacks?: {
      ai?: ({
        provider: string;
        model?: string | null;
      })[];
      voice?: ({
        provider: string;
        voice?: string | null;
      })[];
      transcription?: ({
        provider: string;
      })[];
    } | null;
    turn_taking?: {
      prepare_replies?: boolean | null;
    } | null;
    tools?: (Record<string, unknown>)[] | null;
    playbook?: Schemas['Playbook'] | null;
    status?: "active" | "inactive" | null;
    is_default?: boolean | null;
    backup_agent_id?: string | null;
    voicemail?: Schemas['VoicemailHandling'] | null;
    missing_variables?: "warn" | "refuse" | null;
    region?: string | null;
    lookup_url?: string | null;
    metadata?: Record<string, unknown> | null;
  };
  AgentList: {
    object: "list";
    data: (Schemas['Agent'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  AgentPrompt: {
    agent_id: string;
    object: "prompt";
    step: string | null;
    system: string;
    initial_message: string;
    tools: ({
      name: string;
      description: string;
      parameters: Record<string, unknown>;
    })[];
    tokens: {
      system: number;
      tools: number;
      total: number;
    };
  };
  AgentTrial: {
    id: string;
    object: "agent_trial";
    socket: string;
    expires_at: string;
    agent: Schemas['Agent'];
    warnings?: (Schemas['RequestWarning'])[];
  };
  AgentTrialCreate: {
    name?: string | null;
    initial_message?: string | null;
    ai_provider?: string | null;
    voice_provider?: string | null;
    transcription_provider?: string | null;
    system_prompt?: string | null;
    model?: string | null;
    voice?: string | null;
    voice_settings?: {
      model?: string | null;
      speed?: number | null;
      normalise?: boolean | null;
      stability?: number | null;
      similarity_boost?: number | null;
      style?: number | null;
      instructions?: string | null;
    } | null;
    language?: string | null;
    languages?: (string)[] | null;
    model_settings?: {
      temperature?: number | null;
      max_output_tokens?: number | null;
      reasoning_effort?: string | null;
      max_context_tokens?: number | null;
      url?: string | null;
      headers?: Record<string, string> | null;
    } | null;
    fallbacks?: {
      ai?: ({
        provider: string;
        model?: string | null;
      })[];
      voice?: ({
        provider: string;
        voice?: string | null;
      })[];
      transcription?: ({
        provider: string;
      })[];
    } | null;
    turn_taking?: {
      prepare_replies?: boolean | null;
    } | null;
    tools?: (Record<string, unknown>)[] | null;
    playbook?: Schemas['Playbook'] | null;
    status?: "active" | "inactive" | null;
    is_default?: boolean | null;
    backup_agent_id?: string | null;
    voicemail?: Schemas['VoicemailHandling'] | null;
    missing_variables?: "warn" | "refuse" | null;
    region?: string | null;
    lookup_url?: string | null;
    metadata?: Record<string, unknown> | null;
    agent_id?: string | null;
  };
  AgentUpdate: {
    name?: string | null;
    initial_message?: string | null;
    ai_provider?: string | null;
    voice_provider?: string | null;
    transcription_provider?: string | null;
    system_prompt?: string | null;
    model?: string | null;
    voice?: string | null;
    voice_settings?: {
      model?: string | null;
      speed?: number | null;
      normalise?: boolean | null;
      stability?: number | null;
      similarity_boost?: number | null;
      style?: number | null;
      instructions?: string | null;
    } | null;
    language?: string | null;
    languages?: (string)[] | null;
    model_settings?: {
      temperature?: number | null;
      max_output_tokens?: number | null;
      reasoning_effort?: string | null;
      max_context_tokens?: number | null;
      url?: string | null;
      headers?: Record<string, string> | null;
    } | null;
    fallbacks?: {
      ai?: ({
        provider: string;
        model?: string | null;
      })[];
      voice?: ({
        provider: string;
        voice?: string | null;
      })[];
      transcription?: ({
        provider: string;
      })[];
    } | null;
    turn_taking?: {
      prepare_replies?: boolean | null;
    } | null;
    tools?: (Record<string, unknown>)[] | null;
    playbook?: Schemas['Playbook'] | null;
    status?: "active" | "inactive" | null;
    is_default?: boolean | null;
    backup_agent_id?: string | null;
    voicemail?: Schemas['VoicemailHandling'] | null;
    missing_variables?: "warn" | "refuse" | null;
    region?: string | null;
    lookup_url?: string | null;
    metadata?: Record<string, unknown> | null;
  };
  AgentWarning: {
    code: "provider_not_configured" | "tools_not_used" | "talk_without_model" | "tool_not_carried_over" | "secret_not_known" | "system_prompt_not_used" | "voice_not_known" | "language_not_known" | "language_not_changed" | "language_without_phrases" | "single_braces" | "variable_not_known" | "field_not_known" | "warm_transfer_not_possible";
    field?: string;
    message: string;
  };
  AnalysisEventData: {
    id: string;
    call_id: string;
    summary: string;
    sentiment?: string;
    intent?: string;
    actionable_items?: (string)[];
    keywords?: (string)[];
    confidence_score?: number;
    resolution_achieved?: boolean | null;
    answers?: Record<string, string>;
    call_from: string;
    call_to: string;
    direction: "outbound" | "inbound";
    status: string;
    ended_reason: string | null;
    custom_metadata: Record<string, unknown>;
    batch_id: string | null;
    schedule_id: string | null;
  };
  ApiKey: {
    id: string;
    key_id: string;
    object: "api_key";
    name: string;
    scopes: ("read" | "write" | "admin")[];
    key_hint: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
  };
  ApiKeyList: {
    object: "list";
    data: (Schemas['ApiKey'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  ApiKeyRequest: {
    name: string;
    scopes?: ("read" | "write" | "admin")[] | null;
    expires_at?: string | null;
  };
  Batch: {
    id: string;
    batch_id: string;
    call_id: string;
    object: "batch";
    name: string;
    status: string;
    from_number: string;
    to_number: ({
      phone_number: string;
      name: string | null;
    })[];
    scheduled_time: string | null;
    scheduled_at: string;
    timezone: string | null;
    agent_id: string;
    agent_name: string;
    call_ids: (string)[];
    calls: ({
      id: string;
      call_id: string;
      phone_number: string;
      name: string | null;
      status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
      scheduled_time: string | null;
    })[];
    calls_has_more: boolean;
    total_numbers: number;
    successfully_called: number;
    failed_calls: number;
    avg_duration_seconds: number;
    success_rate: number;
    cost_usd: number;
    cost_is_complete: boolean;
    budget_usd: number | null;
    skipped_calls: number;
    cancelled_calls: number;
    pending_calls: number;
    live_calls: number;
    max_concurrency: number;
    call_window: Schemas['CallWindow'] | null;
    retry_policy: Schemas['RetryPolicy'];
    pause_reason: string | null;
    error: string | null;
    start_time: string | null;
    end_time: string | null;
    custom_metadata: Record<string, unknown>;
    warnings?: (Schemas['RequestWarning'])[];
    created_at: string;
    updated_at: string;
  };
  BatchCompletedEvent: {
    event_type: "batch.completed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['BatchEventData'];
  };
  BatchEventData: {
    id: string;
    batch_name: string;
    agent_id: string;
    agent_name: string;
    status: string;
    total_numbers: number;
    successfully_called: number;
    failed_calls: number;
    avg_duration_seconds: number;
    start_time: string | null;
    end_time: string | null;
    success_rate: number;
    cost_usd: number;
    cost_is_complete: boolean;
    custom_metadata: Record<string, unknown>;
    batch_id: string;
  };
  BatchFailedEvent: {
    event_type: "batch.failed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['BatchEventData'];
  };
  BatchImportForm: {
    file: string;
    dry_run?: boolean;
    from_number?: string | null;
    scheduled_time?: string | null;
    name?: string | null;
    agent_id?: string | null;
    metadata?: Record<string, unknown> | null;
    timezone?: string | null;
    region?: string | null;
    max_concurrency?: number | null;
    budget_usd?: number | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    retry_policy?: Schemas['RetryPolicyRequest'] | null;
    record_call?: boolean | null;
    record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
    enable_transcription?: boolean | null;
    transcription_provider?: string | null;
    timeout_seconds?: number | null;
    silence_timeout_seconds?: number | null;
  };
  BatchImported: {
    id: string;
    batch_id: string;
    call_id: string;
    object: "batch";
    name: string;
    status: string;
    from_number: string;
    to_number: ({
      phone_number: string;
      name: string | null;
    })[];
    scheduled_time: string | null;
    scheduled_at: string;
    timezone: string | null;
    agent_id: string;
    agent_name: string;
    call_ids: (string)[];
    calls: ({
      id: string;
      call_id: string;
      phone_number: string;
      name: string | null;
      status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
      scheduled_time: string | null;
    })[];
    calls_has_more: boolean;
    total_numbers: number;
    successfully_called: number;
    failed_calls: number;
    avg_duration_seconds: number;
    success_rate: number;
    cost_usd: number;
    cost_is_complete: boolean;
    budget_usd: number | null;
    skipped_calls: number;
    cancelled_calls: number;
    pending_calls: number;
    live_calls: number;
    max_concurrency: number;
    call_window: Schemas['CallWindow'] | null;
    retry_policy: Schemas['RetryPolicy'];
    pause_reason: string | null;
    error: string | null;
    start_time: string | null;
    end_time: string | null;
    custom_metadata: Record<string, unknown>;
    warnings?: (Schemas['RequestWarning'])[];
    created_at: string;
    updated_at: string;
    skipped: number;
    errors: ({
      row: number;
      line: number | null;
      field: string;
      message: string;
      value: string | null;
    })[];
  };
  BatchInProgressEvent: {
    event_type: "batch.in_progress";
    timestamp: string;
    webhook_id: string;
    data: Schemas['BatchEventData'];
  };
  BatchInitiatedEvent: {
    event_type: "batch.initiated";
    timestamp: string;
    webhook_id: string;
    data: Schemas['BatchEventData'];
  };
  BatchList: {
    object: "list";
    data: (Schemas['Batch'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  BatchPreflight: {
    object: "batch_preflight";
    total_numbers: number;
    valid: number;
    callable_numbers: number;
    columns: (string)[];
    invalid: {
      count: number;
      rows: ({
        row: number;
        line: number | null;
        field: string;
        message: string;
        value: string | null;
      })[];
    };
    duplicates: {
      count: number;
      rows: ({
        row: number;
        phone_number: string;
        reason: string;
        until: string | null;
        message: string;
      })[];
    };
    suppressed: {
      count: number;
      rows: ({
        row: number;
        phone_number: string;
        reason: string;
        until: string | null;
        message: string;
      })[];
    };
    refused: {
      count: number;
      rows: ({
        row: number;
        phone_number: string;
        reason: string;
        until: string | null;
        message: string;
      })[];
    };
    deferred: {
      count: number;
      rows: ({
        row: number;
        phone_number: string;
        reason: string;
        until: string | null;
        message: string;
      })[];
    };
    warnings: (Schemas['RequestWarning'])[];
    hours: ({
      starts_at: string;
      calls: number;
      peak_concurrency: number;
    })[];
    scheduled_at: string;
    first_call_at: string | null;
    projected_finish: string | null;
    peak_concurrency: number;
    unplanned_numbers: number;
    expected_cost_usd: number;
    assumptions: {
      talk_seconds: number;
      ring_seconds: number;
      cost_usd_per_call: number;
      calls_looked_at: number;
      max_concurrency: number;
      calls_per_second: number;
    };
  };
  BatchRequest: {
    to_number: ({
      phone_number: string;
      name?: string | null;
      customer_data?: Record<string, unknown> | null;
      customer_context?: Record<string, unknown> | null;
      variables?: Record<string, unknown> | null;
      metadata?: Record<string, unknown> | null;
    })[];
    from_number?: string | null;
    scheduled_time?: string | null;
    name?: string | null;
    agent_id?: string | null;
    metadata?: Record<string, unknown> | null;
    timezone?: string | null;
    region?: string | null;
    max_concurrency?: number | null;
    budget_usd?: number | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    retry_policy?: Schemas['RetryPolicyRequest'] | null;
    record_call?: boolean | null;
    record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
    enable_transcription?: boolean | null;
    transcription_provider?: string | null;
    timeout_seconds?: number | null;
    silence_timeout_seconds?: number | null;
  };
  BatchRequeued: {
    id: string;
    batch_id: string;
    object: "batch";
    requeued: number;
  };
  BatchScheduled: {
    success: true;
    message: "batch scheduled successfully";
    id: string;
    batch_id: string;
    call_id: string;
    object: "batch";
    name: string;
    status: string;
    from_number: string;
    to_number: ({
      phone_number: string;
      name: string | null;
    })[];
    scheduled_time: string | null;
    scheduled_at: string;
    timezone: string | null;
    agent_id: string;
    agent_name: string;
    call_ids: (string)[];
    calls: ({
      id: string;
      call_id: string;
      phone_number: string;
      name: string | null;
      status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
      scheduled_time: string | null;
    })[];
    calls_has_more: boolean;
    total_numbers: number;
    successfully_called: number;
    failed_calls: number;
    avg_duration_seconds: number;
    success_rate: number;
    cost_usd: number;
    cost_is_complete: boolean;
    budget_usd: number | null;
    skipped_calls: number;
    cancelled_calls: number;
    pending_calls: number;
    live_calls: number;
    max_concurrency: number;
    call_window: Schemas['CallWindow'] | null;
    retry_policy: Schemas['RetryPolicy'];
    pause_reason: string | null;
    error: string | null;
    start_time: string | null;
    end_time: string | null;
    custom_metadata: Record<string, unknown>;
    warnings?: (Schemas['RequestWarning'])[];
    created_at: string;
    updated_at: string;
  };
  BatchUpdated: {
    success: true;
    message: "scheduled call updated successfully";
    id: string;
    batch_id: string;
    call_id: string;
    object: "batch";
    name: string;
    status: string;
    from_number: string;
    to_number: ({
      phone_number: string;
      name: string | null;
    })[];
    scheduled_time: string | null;
    scheduled_at: string;
    timezone: string | null;
    agent_id: string;
    agent_name: string;
    call_ids: (string)[];
    calls: ({
      id: string;
      call_id: string;
      phone_number: string;
      name: string | null;
      status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
      scheduled_time: string | null;
    })[];
    calls_has_more: boolean;
    total_numbers: number;
    successfully_called: number;
    failed_calls: number;
    avg_duration_seconds: number;
    success_rate: number;
    cost_usd: number;
    cost_is_complete: boolean;
    budget_usd: number | null;
    skipped_calls: number;
    cancelled_calls: number;
    pending_calls: number;
    live_calls: number;
    max_concurrency: number;
    call_window: Schemas['CallWindow'] | null;
    retry_policy: Schemas['RetryPolicy'];
    pause_reason: string | null;
    error: string | null;
    start_time: string | null;
    end_time: string | null;
    custom_metadata: Record<string, unknown>;
    warnings?: (Schemas['RequestWarning'])[];
    created_at: string;
    updated_at: string;
  };
  Call: {
    call_id: string;
    agent_id: string;
    status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
    duration: number;
    transcript: string;
    recording_url: string | null;
    metrics: {
      transcription_latency_ms: number;
      response_latency_ms: number;
      audio_quality: number;
      duration: number;
      speaker_changes: number | null;
      ai_response_time: number | null;
      customer_sentiment: string | null;
      resolution_achieved: boolean | null;
    };
    id: string;
    object: "call";
    agent_name: string;
    direction: "outbound" | "inbound";
    call_type: string;
    to_phone: string;
    from_phone: string;
    name: string | null;
    customer_data: Record<string, unknown>;
    customer_context: Record<string, unknown>;
    metadata: Record<string, unknown>;
    record_call: boolean;
    record_storage: string;
    enable_transcription: boolean;
    transcription_provider: string;
    providers: Schemas['CallProviders'] | null;
    timeout_seconds: number;
    silence_timeout_seconds: number;
    summary: string | null;
    analysis: Schemas['CallInsights'] | null;
    answers: Record<string, string>;
    follow_up: Schemas['CallFollowUp'] | null;
    ended_reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | null;
    fault: string | null;
    error: string | null;
    batch_id: string | null;
    schedule_id: string | null;
    execution_id: string | null;
    parent_call_id: string | null;
    provider: string;
    provider_call_id: string | null;
    provider_code: string | null;
    cost_usd: number;
    cost: Schemas['CallCost'] | null;
    usage: Schemas['CallUsageByLeg'] | null;
    scheduled_time: string | null;
    scheduled_at: string | null;
    created_at: string;
    estimated_start_time: string;
    started_at: string | null;
    answered_at: string | null;
    ended_at: string | null;
    updated_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  CallAnalysisCompleteEvent: {
    event_type: "call.analysis_complete";
    timestamp: string;
    webhook_id: string;
    data: Schemas['AnalysisEventData'];
  };
  CallCompletedEvent: {
    event_type: "call.completed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallConnectedEvent: {
    event_type: "call.connected";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallCost: {
    total_usd: number | null;
    carrier_usd: number | null;
    hearing_usd: number | null;
    thinking_usd: number | null;
    speaking_usd: number | null;
    is_complete: boolean;
  };
  CallCreated: {
    call_id: string;
    id: string;
    object: "call";
    status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
    agent_id: string;
    to_phone: string;
    from_phone: string;
    direction: "outbound" | "inbound";
    created_at: string;
    estimated_start_time: string;
    scheduled_time: string | null;
    scheduled_at: string | null;
    ended_reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | null;
    message: string;
    warnings: (Schemas['RequestWarning'])[];
  };
  CallDisconnected: {
    success: true;
    message: "call is being disconnected" | "call has ended" | "call has already ended";
    call_id: string;
    id: string;
    object: "call";
    status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
    already_ended: boolean;
    ended_reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | null;
    ended_at: string | null;
  };
  CallErased: {
    call_id: string;
    id: string;
    object: "call";
    deleted: true;
  };
  CallEvent: {
    id: string;
    type: string;
    from: string | null;
    to: string | null;
    at: string;
    data: Record<string, unknown>;
  };
  CallEventData: {
    id: string;
    call_from: string;
    call_to: string;
    agent_id: string;
    agent_name: string;
    status: "initiated" | "connected" | "in_progress" | "completed" | "failed" | "missed" | "cancelled";
    direction: "outbound" | "inbound";
    call_type: string;
    start_time: string | null;
    end_time: string | null;
    duration_seconds: number;
    recording_url: string | null;
    transcript_url: string | null;
    custom_metadata: Record<string, unknown>;
    call_id: string;
    ended_reason: string | null;
    error: string | null;
    batch_id: string | null;
    schedule_id: string | null;
    parent_call_id: string | null;
    providers: {
      ai: string;
      model: string | null;
      voice: string;
      transcription: string;
      substituted: ({
        field: string;
        asked: string;
        used: string;
      })[];
    } | null;
    answers: Record<string, string>;
    intent: string | null;
    resolution_achieved: boolean | null;
    sequence: number;
  };
  CallEventList: {
    object: "list";
    data: (Schemas['CallEvent'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  CallFailedEvent: {
    event_type: "call.failed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallFollowUp: {
    kind: "suppress";
  } | {
    kind: "transfer";
    to: string;
  } | {
    kind: "call_back";
    scheduled_at: string | null;
    timezone: string;
    said: string;
    schedule_id: string | null;
  };
  CallInProgressEvent: {
    event_type: "call.in_progress";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallInitiatedEvent: {
    event_type: "call.initiated";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallInsights: {
    sentiment: "positive" | "neutral" | "negative";
    intent: string;
    actionable_items: (string)[];
    keywords: (string)[];
    confidence_score: number;
    resolution_achieved: boolean | null;
  };
  CallLatency: {
    end_of_turn: Schemas['LatencySpread'];
    hearing: Schemas['LatencySpread'];
    thinking: Schemas['LatencySpread'];
    speaking: Schemas['LatencySpread'];
    total: Schemas['LatencySpread'];
  };
  CallList: {
    object: "list";
    data: (Schemas['Call'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  CallMetrics: {
    call_id: string;
    duration: number;
    speaker_changes: number;
    ai_response_time: number;
    audio_quality: number;
    customer_sentiment: string;
    resolution_achieved: boolean | null;
    transcription_latency_ms: number;
    response_latency_ms: number;
    turns: (Schemas['CallTurn'])[];
    p50_response_ms: number | null;
    p95_response_ms: number | null;
    latency: Schemas['CallLatency'];
  };
  CallMissedEvent: {
    event_type: "call.missed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['CallEventData'];
  };
  CallProviders: {
    ai: string;
    model: string | null;
    voice: string;
    transcription: string;
    substituted: ({
      field: "ai_provider" | "voice_provider" | "transcription_provider";
      asked: string;
      used: string;
    })[];
  };
  CallRecordingReadyEvent: {
    event_type: "call.recording_ready";
    timestamp: string;
    webhook_id: string;
    data: Schemas['RecordingEventData'];
  };
  CallRequest: {
    agent_id: string;
    to_phone: string;
    from_phone?: string | null;
    customer_data?: Record<string, unknown> | null;
    customer_context?: Record<string, unknown> | null;
    variables?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    record_call?: boolean | null;
    record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
    enable_transcription?: boolean | null;
    transcription_provider?: string | null;
    timeout_seconds?: number | null;
    silence_timeout_seconds?: number | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    scheduled_time?: string | null;
    timezone?: string | null;
  };
  CallStats: {
    object: "call_stats";
    window: "1h" | "24h" | "7d" | "30d";
    since: string;
    calls_total: number;
    calls_live: number;
    by_status: {
      scheduled: number;
      queued: number;
      initiated: number;
      connecting: number;
      connected: number;
      active: number;
      ending: number;
      completed: number;
      failed: number;
      missed: number;
      cancelled: number;
    };
    avg_duration: number | null;
    p50_response_ms: number | null;
    p95_response_ms: number | null;
    answer_rate: number | null;
    cost_usd: number;
    cost_is_complete: boolean;
    series: ({
      t: string;
      calls: number;
      failed: number;
    })[];
  };
  CallSteered: {
    call_id: string;
    id: string;
    mode: "agent" | "muted" | "held" | "operator" | "joined";
    socket: string | null;
    warnings?: (Schemas['RequestWarning'])[];
  };
  CallSummary: {
    call_id: string;
    status: "pending" | "ready" | "disabled";
    summary: string | null;
    answers: Record<string, string>;
    analysis: Schemas['CallInsights'] | null;
  };
  CallSummaryReadyEvent: {
    event_type: "call.summary_ready";
    timestamp: string;
    webhook_id: string;
    data: Schemas['TranscriptEventData'];
  };
  CallToolCalledEvent: {
    event_type: "call.tool_called";
    timestamp: string;
    webhook_id: string;
    data: Schemas['ToolCalledEventData'];
  };
  CallTranscriptReadyEvent: {
    event_type: "call.transcript_ready";
    timestamp: string;
    webhook_id: string;
    data: Schemas['TranscriptEventData'];
  };
  CallTurn: {
    turn: number;
    end_of_turn_ms: number;
    stt_ms: number;
    llm_first_token_ms: number;
    tts_first_byte_ms: number;
    total_ms: number;
    interrupted: boolean;
    sounded_at_ms: number | null;
  };
  CallTurnDetail: {
    index: number;
    started_at_ms: number | null;
    end_of_turn_ms: number;
    recognition_ms: number;
    model_ms: number;
    tool_ms: number;
    voice_ms: number;
    first_audio_ms: number;
    heard: string;
    said: string;
    interrupted: boolean;
    by: "agent" | "operator";
  };
  CallTurns: {
    turns: (Schemas['CallTurnDetail'])[];
    unheard: ({
      start_ms: number;
      text: string;
    })[];
    percentiles: Schemas['ReplyTimes'];
    agent_percentiles: Schemas['ReplyTimes'] | null;
  };
  CallUpdate: {
    metadata?: Record<string, unknown> | null;
  };
  CallUsage: {
    call_id: string;
    object: "usage";
    model: ({
      provider: string;
      model: string;
      requests: number;
      input_tokens: number | null;
      cached_input_tokens: number | null;
      output_tokens: number | null;
    })[];
    turns: ({
      turn: number;
      provider: string;
      model: string;
      rounds: number;
      input_tokens: number | null;
      cached_input_tokens: number | null;
      output_tokens: number | null;
      first_token_ms: number | null;
    })[];
  };
  CallUsageByLeg: {
    carrier: {
      provider: string;
      seconds: number;
    };
    hearing: ({
      provider: string;
      model: string | null;
      sound_seconds: number | null;
    })[];
    thinking: ({
      provider: string;
      model: string;
      requests: number;
      input_tokens: number | null;
      cached_input_tokens: number | null;
      output_tokens: number | null;
    })[];
    speaking: ({
      provider: string;
      model: string | null;
      sentences: number;
      characters: number | null;
      sound_seconds: number | null;
    })[];
    tools: number;
  };
  CallWindow: {
    start: string;
    end: string;
    timezone: string | null;
    days: ("MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT" | "SUN")[];
  };
  ConsoleSession: {
    csrf_token: string;
    workspace: string;
    key_name: string;
    scopes: ("read" | "write" | "admin")[];
    expires_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  ConsoleSignIn: {
    key: string;
  };
  ContextRequest: {
    text: string;
  };
  DeletedAgent: {
    id: string;
    agent_id: string;
    object: "agent";
    deleted: true;
  };
  DeletedApiKey: {
    id: string;
    key_id: string;
    object: "api_key";
    deleted: true;
  };
  DeletedPhoneNumber: {
    id: string;
    number_id: string;
    object: "phone_number";
    phone_number: string;
    deleted: true;
  };
  DeletedSecret: {
    name: string;
    object: "secret";
    deleted: true;
  };
  DeletedWebhook: {
    id: string;
    webhook_id: string;
    object: "webhook";
    deleted: true;
    success: true;
  };
  DigitsRequest: {
    digits: string;
  };
  DigitsSent: {
    call_id: string;
    id: string;
    digits: string;
    sent: true;
    warnings?: (Schemas['RequestWarning'])[];
  };
  EventTypeList: {
    data: ({
      event_type: "call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed";
      group: "call" | "data" | "batch";
      description: string;
      schema: string;
      example: Record<string, unknown>;
    })[];
  };
  Execution: {
    execution_id: string;
    scheduled_time: string;
    actual_time: string | null;
    call_id: string | null;
    status: "pending" | "in_progress" | "completed" | "failed" | "missed" | "skipped" | "cancelled";
    duration?: number;
    error: string | null;
    id: string;
    attempt: number;
    trigger: "schedule" | "manual" | "retry";
    reason: "timeout" | "no_answer" | "busy" | "voicemail" | "failed" | null;
    late_ms: number | null;
    attempts: (Schemas['ExecutionAttempt'])[];
  };
  ExecutionAttempt: {
    attempt: number;
    execution_id: string;
    scheduled_time: string;
    actual_time: string | null;
    call_id: string | null;
    status: "pending" | "in_progress" | "completed" | "failed" | "missed" | "skipped" | "cancelled";
    duration?: number;
    error: string | null;
    reason: "timeout" | "no_answer" | "busy" | "voicemail" | "failed" | null;
  };
  ExecutionHistory: {
    schedule_id: string;
    executions: (Schemas['Execution'])[];
    object: "list";
    has_more: boolean;
    next_cursor: string | null;
  };
  ExpandedCall: {
    call_id: string;
    agent_id: string;
    status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
    duration: number;
    transcript: string;
    recording_url: string | null;
    metrics: {
      transcription_latency_ms: number;
      response_latency_ms: number;
      audio_quality: number;
      duration: number;
      speaker_changes: number | null;
      ai_response_time: number | null;
      customer_sentiment: string | null;
      resolution_achieved: boolean | null;
    };
    id: string;
    object: "call";
    agent_name: string;
    direction: "outbound" | "inbound";
    call_type: string;
    to_phone: string;
    from_phone: string;
    name: string | null;
    customer_data: Record<string, unknown>;
    customer_context: Record<string, unknown>;
    metadata: Record<string, unknown>;
    record_call: boolean;
    record_storage: string;
    enable_transcription: boolean;
    transcription_provider: string;
    providers: Schemas['CallProviders'] | null;
    timeout_seconds: number;
    silence_timeout_seconds: number;
    summary: string | null;
    analysis: Schemas['CallInsights'] | null;
    answers: Record<string, string>;
    follow_up: Schemas['CallFollowUp'] | null;
    ended_reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | null;
    fault: string | null;
    error: string | null;
    batch_id: string | null;
    schedule_id: string | null;
    execution_id: string | null;
    parent_call_id: string | null;
    provider: string;
    provider_call_id: string | null;
    provider_code: string | null;
    cost_usd: number;
    cost: Schemas['CallCost'] | null;
    usage: Schemas['CallUsageByLeg'] | null;
    scheduled_time: string | null;
    scheduled_at: string | null;
    created_at: string;
    estimated_start_time: string;
    started_at: string | null;
    answered_at: string | null;
    ended_at: string | null;
    updated_at: string;
    agent?: Schemas['Agent'] | null;
    events?: (Schemas['CallEvent'])[];
    recording?: Schemas['Recording'] | null;
    turns?: (Schemas['CallTurn'])[];
  };
  Health: {
    status: "healthy";
    ok: true;
    service: "callwright";
    version: string;
    environment: "local" | "production";
    uptime_seconds: number;
    timestamp: string;
    degraded: ({
      part: "language_model" | "voice" | "recogniser" | "recordings";
      provider: string;
      model: string | null;
      reason: string;
      since: string;
      until: string | null;
    })[];
  };
  IncomingCallAnswer: {
    agent_id?: string | null;
    variables?: Record<string, string | number | boolean> | null;
  };
  IncomingCallQuestion: {
    type: "call.incoming";
    call_id: string;
    call_from: string | null;
    call_to: string | null;
    provider: string;
    timestamp: string;
  };
  LatencySpread: {
    p50: number | null;
    p95: number | null;
  };
  LiveBatchProgress: {
    event: "batch.progress";
    id: string;
    data: {
      batch_id: string;
      status: string;
      total_numbers: number;
      successfully_called: number;
      failed_calls: number;
      skipped_calls: number;
      cancelled_calls: number;
      pending_calls: number;
      live_calls: number;
      success_rate: number;
      avg_duration_seconds: number;
    };
  };
  LiveCallMode: {
    event: "call.mode";
    id: string;
    data: {
      call_id: string;
      mode: "agent" | "muted" | "held" | "operator" | "joined";
    };
  };
  LiveCallPartial: {
    event: "call.partial";
    id: string;
    data: {
      call_id: string;
      speaker: "agent" | "customer";
      text: string;
    };
  };
  LiveCallState: {
    event: "call.state";
    id: string;
    data: {
      call_id: string;
      status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
      at: string;
      from_number: string;
      to_number: string;
      agent_id: string;
      direction: "outbound" | "inbound";
      batch_id: string | null;
      ended_reason: string | null;
    };
  };
  LiveCallStep: {
    event: "call.step";
    id: string;
    data: {
      call_id: string;
      step: string;
    };
  };
  LiveCallTool: {
    event: "call.tool";
    id: string;
    data: {
      call_id: string;
      name: string;
      status: string;
      latency_ms: number;
    };
  };
  LiveCallTranscript: {
    event: "call.transcript";
    id: string;
    data: {
      call_id: string;
      entry: Schemas['TranscriptEntry'];
    };
  };
  LiveCallTransfer: {
    event: "call.transfer";
    id: string;
    data: {
      call_id: string;
      to: string;
      status: "asked" | "done" | "failed";
      leg_call_id: string | null;
    };
  };
  LiveDelivery: {
    event: "delivery";
    id: string;
    data: {
      webhook_id: string;
      event_type: "call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed" | "scheduled_call.started" | "scheduled_call.completed" | "scheduled_call.failed";
      status: "pending" | "delivered" | "failed";
      attempt: number;
    };
  };
  LiveStreamEvent: Schemas['LiveCallState'] | Schemas['LiveCallTranscript'] | Schemas['LiveCallPartial'] | Schemas['LiveCallStep'] | Schemas['LiveCallTool'] | Schemas['LiveCallMode'] | Schemas['LiveCallTransfer'] | Schemas['LiveBatchProgress'] | Schemas['LiveDelivery'] | Schemas['LiveSync'];
  LiveSync: {
    event: "sync";
    id: string;
    data: Record<string, never>;
  };
  NewApiKey: {
    id: string;
    key_id: string;
    object: "api_key";
    name: string;
    scopes: ("read" | "write" | "admin")[];
    key_hint: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    key: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  NextRuns: {
    schedule_id: string;
    timezone: string;
    next_executions: ({
      utc: string;
      local: string;
    })[];
  };
  Number: {
    object: "number";
    phone_number: string;
    country: string | null;
    kind: "fixed_line" | "mobile" | "fixed_line_or_mobile" | "toll_free" | "shared_cost" | "premium_rate" | "voip" | "personal_number" | "pager" | "uan" | "voicemail" | "satellite" | "short_code" | "unknown";
    time_zones: (string)[];
    suppressed: boolean;
    calling_window: Schemas['CallWindow'] | null;
    window_open: boolean;
    window_opens_at: string | null;
    attempts: ({
      hours: number;
      used: number;
      limit: number;
    })[];
    compliance_mode: "off" | "warn" | "enforce";
    verdict: "dial" | "defer" | "skip";
    reason: "suppressed" | "premium_number" | "country_not_allowed" | "attempt_cap" | "outside_calling_window" | null;
    until: string | null;
    explanation: string;
  };
  NumberDecision: {
    object: "number_decision";
    phone_number: string;
    decided_at: string;
    moment: "accepted" | "dialling";
    verdict: "dial" | "defer" | "skip";
    reason: "suppressed" | "premium_number" | "country_not_allowed" | "attempt_cap" | "outside_calling_window" | null;
    until: string | null;
    explanation: string;
    findings: ({
      objection: "suppressed" | "premium_number" | "satellite_number" | "short_code" | "country_not_allowed" | "attempt_cap" | "outside_calling_window";
      enforced: boolean;
      until: string | null;
      detail: string | null;
    })[];
    compliance_mode: "off" | "warn" | "enforce";
    call_id: string | null;
    subject_id: string;
  };
  NumberDecisionList: {
    object: "list";
    data: (Schemas['NumberDecision'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  OutboundCallCreated: {
    success: boolean;
    message: string;
    id: string;
    call_id: string;
    object: "call";
    status: "scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled";
    scheduled: boolean;
    to_number: string;
    from_number: string;
    scheduled_time: string | null;
    scheduled_at: string | null;
    agent_id: string;
    direction: "outbound" | "inbound";
    created_at: string;
    estimated_start_time: string;
    ended_reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | null;
    warnings: (Schemas['RequestWarning'])[];
  };
  OutboundCallRequest: {
    to_number: string;
    from_number?: string | null;
    agent_id?: string | null;
    name?: string | null;
    customer_data?: Record<string, unknown> | null;
    customer_context?: Record<string, unknown> | null;
    variables?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    record_call?: boolean | null;
    record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
    enable_transcription?: boolean | null;
    transcription_provider?: string | null;
    timeout_seconds?: number | null;
    silence_timeout_seconds?: number | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    scheduled_time?: string | null;
    timezone?: string | null;
  };
  Overview: {
    object: "overview";
    days: number;
    timezone: string;
    totals: {
      dialled: number;
      answered: number;
      human: number;
      success: number;
      alarms: number;
      reply_p95_ms: number | null;
    };
    by_day: ({
      date: string;
      dialled: number;
      answered: number;
      human: number;
      success: number;
      alarms: number;
      reply_p95_ms: number | null;
    })[];
  };
  PhoneNumber: {
    id: string;
    number_id: string;
    object: "phone_number";
    phone_number: string;
    agent_id: string | null;
    backup_agent_id: string | null;
    provider: string;
    label: string | null;
    lookup_url: string | null;
    lookup_secret: string | null;
    created_at: string;
    updated_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  PhoneNumberCreate: {
    phone_number: string;
    agent_id?: string | null;
    backup_agent_id?: string | null;
    provider?: string | null;
    label?: string | null;
    lookup_url?: string | null;
  };
  PhoneNumberList: {
    object: "list";
    data: (Schemas['PhoneNumber'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  PhoneNumberUpdate: {
    agent_id?: string | null;
    backup_agent_id?: string | null;
    provider?: string | null;
    label?: string | null;
    lookup_url?: string | null;
  };
  Playbook: {
    start: string;
    steps: Record<string, Schemas['PlaybookStep']>;
    anywhere?: Schemas['PlaybookAnywhere'] | null;
    wording?: Schemas['PlaybookWording'] | null;
  };
  PlaybookAnywhere: {
    goodbye?: string | null;
    later?: string | null;
    do_not_call?: string | null;
    wrong_number?: string | null;
    person?: string | null;
  };
  PlaybookAsk: {
    kind: "ask";
    text: string;
    interruptible?: boolean | null;
    expect: Schemas['PlaybookExpectation'];
    save_as?: string | null;
    confirm?: string | null;
    answers?: Record<string, string> | null;
    next?: string | null;
    retry?: (string)[] | null;
    max_attempts?: number | null;
    max_visits?: number | null;
    otherwise: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookBranch: {
    kind: "branch";
    cases: (Schemas['PlaybookCase'])[];
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookCallBack: {
    kind: "call_back";
    text?: string | null;
    date?: string | null;
    time?: string | null;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookCase: {
    variable: string;
    is?: (string)[] | null;
    at_least?: number | string | null;
    at_most?: number | string | null;
    known?: boolean | null;
    next: string;
  };
  PlaybookCollected: {
    kind: "yes_no";
    yes?: (string)[] | null;
    no?: (string)[] | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "choice";
    options: (Schemas['PlaybookOption'])[];
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "date";
    earliest?: string | null;
    latest?: string | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "time";
    earliest?: string | null;
    latest?: string | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "number";
    min?: number | null;
    max?: number | null;
    whole?: boolean | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "phone_number";
    region?: string | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "name";
    likely?: (string)[] | null;
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  } | {
    kind: "anything";
    description?: string | null;
    required?: boolean | null;
    confirm?: boolean | string | null;
  };
  PlaybookEnd: {
    kind: "end";
    text?: string | null;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookExit: {
    when: Schemas['PlaybookWhen'];
    next: string;
  };
  PlaybookExpectation: {
    kind: "yes_no";
    yes?: (string)[] | null;
    no?: (string)[] | null;
  } | {
    kind: "choice";
    options: (Schemas['PlaybookOption'])[];
  } | {
    kind: "date";
    earliest?: string | null;
    latest?: string | null;
  } | {
    kind: "time";
    earliest?: string | null;
    latest?: string | null;
  } | {
    kind: "number";
    min?: number | null;
    max?: number | null;
    whole?: boolean | null;
  } | {
    kind: "phone_number";
    region?: string | null;
  } | {
    kind: "name";
    likely?: (string)[] | null;
  } | {
    kind: "anything";
  };
  PlaybookOption: {
    value: string;
    phrases: (string)[];
  };
  PlaybookPress: {
    kind: "press";
    text?: string | null;
    keys: string;
    wait_for?: (string)[] | null;
    after_ms?: number | null;
    max_seconds?: number | null;
    otherwise?: string | null;
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookReply: {
    kind: "reply";
    to: string;
    texts: Record<string, string>;
    text?: string | null;
    interruptible?: boolean | null;
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookSay: {
    kind: "say";
    text: string;
    interruptible?: boolean | null;
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookSet: {
    kind: "set";
    variables: Record<string, string>;
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookStep: Schemas['PlaybookSay'] | Schemas['PlaybookReply'] | Schemas['PlaybookAsk'] | Schemas['PlaybookTalk'] | Schemas['PlaybookTool'] | Schemas['PlaybookPress'] | Schemas['PlaybookBranch'] | Schemas['PlaybookSet'] | Schemas['PlaybookEnd'] | Schemas['PlaybookTransfer'] | Schemas['PlaybookSuppress'] | Schemas['PlaybookCallBack'];
  PlaybookSuppress: {
    kind: "suppress";
    text?: string | null;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookTalk: {
    kind: "talk";
    text?: string | null;
    goal: string;
    prompt?: string | null;
    tools?: (string)[] | null;
    collect?: Record<string, Schemas['PlaybookCollected']> | null;
    exits?: (Schemas['PlaybookExit'])[] | null;
    max_turns: number;
    max_seconds?: number | null;
    max_visits?: number | null;
    otherwise: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookTool: {
    kind: "tool";
    tool: string;
    with?: Record<string, string | number | boolean> | null;
    say_while?: (string)[] | null;
    save_as?: string | null;
    on_error: string;
    next: string;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookToolResult: {
    tool: string;
    equals: {
      path: string;
      value: string | number | boolean | null;
    };
  };
  PlaybookTransfer: {
    kind: "transfer";
    mode?: "cold" | "warm" | null;
    text?: string | null;
    to: string;
    briefing?: string | null;
    ring_seconds?: number | null;
    stay?: boolean | null;
    next?: string | null;
    otherwise?: string | null;
    intent?: string | null;
    resolution_achieved?: boolean | null;
    summary?: string | null;
  };
  PlaybookWhen: {
    known?: (string)[] | null;
    result?: Schemas['PlaybookToolResult'] | null;
    said?: string | null;
  };
  PlaybookWording: {
    not_understood?: string | null;
    not_possible?: string | null;
    again?: string | null;
    corrected?: string | null;
    still_there?: string | null;
    cannot_hear?: string | null;
    nobody_there?: string | null;
    who?: string | null;
    goodbye?: string | null;
    do_not_call?: string | null;
    later?: string | null;
    later_at?: string | null;
    no_number?: string | null;
    time_passed?: string | null;
    call_back_when?: string | null;
    hold?: string | null;
    person?: string | null;
    not_connected?: string | null;
    returned?: string | null;
    wrong_number?: string | null;
  };
  Principal: {
    id: string;
    object: "principal";
    type: "api_key" | "jwt";
    name: string;
    workspace: string;
    scopes: ("read" | "write" | "admin")[];
    expires_at: string | null;
  };
  Problem: {
    error: string;
    code: "invalid_json" | "validation_error" | "invalid_phone_number" | "invalid_time" | "invalid_cron_expression" | "invalid_timezone" | "invalid_cursor" | "invalid_webhook_url" | "blocked_address" | "unauthorized" | "forbidden" | "number_not_allowed" | "agent_not_found" | "call_not_found" | "batch_not_found" | "scheduled_call_not_found" | "phone_number_not_found" | "suppression_not_found" | "api_key_not_found" | "webhook_not_found" | "delivery_not_found" | "secret_not_found" | "recording_not_found" | "route_not_found" | "method_not_allowed" | "provider_not_configured" | "invalid_state" | "already_exists" | "idempotency_in_progress" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";
    message: string;
    status: number;
    request_id: string;
    details: ({
      field: string;
      code: string;
      message: string;
    })[];
    warnings?: (Schemas['RequestWarning'])[];
  };
  Provider: {
    name: string;
    configured: boolean;
    missing?: (string)[];
    default_model?: string | null;
    needs_url?: boolean;
    speech_to_speech?: boolean;
    default_voice?: string | null;
    voices?: (string)[];
    languages?: (string)[];
    tells_language?: boolean;
  };
  Providers: {
    ai: (Schemas['Provider'])[];
    voice: (Schemas['Provider'])[];
    transcription: (Schemas['Provider'])[];
    telephony: (Schemas['Provider'])[];
    storage: (Schemas['Provider'])[];
  };
  QueuedCall: {
    id: string;
    call_id: string;
    object: "scheduled_call";
    batch_id: string | null;
    batch_name: string | null;
    schedule_id: string | null;
    name: string;
    callee_name: string | null;
    to_number: string;
    phone_number: string;
    from_number: string;
    scheduled_time: string | null;
    scheduled_at: string;
    status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
    agent_id: string;
    agent_name: string;
    attempts: number;
    last_call_id: string | null;
    duration: number | null;
    reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | "duplicate" | "batch_aborted" | null;
    error: string | null;
    metadata: Record<string, unknown>;
    created_at: string;
    updated_at: string;
  };
  QueuedCallDeleted: {
    success: true;
    message: "scheduled call deleted successfully";
    id: string;
    call_id: string;
    batch_id: string | null;
    object: "scheduled_call" | "batch";
    deleted: true;
    status: string;
    cancelled_calls?: number;
  };
  QueuedCallList: {
    object: "list";
    data: (Schemas['QueuedCall'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  QueuedCallUpdated: {
    success: true;
    message: "scheduled call updated successfully";
    id: string;
    call_id: string;
    object: "scheduled_call";
    batch_id: string | null;
    batch_name: string | null;
    schedule_id: string | null;
    name: string;
    callee_name: string | null;
    to_number: string;
    phone_number: string;
    from_number: string;
    scheduled_time: string | null;
    scheduled_at: string;
    status: "scheduled" | "paused" | "in_progress" | "completed" | "failed" | "cancelled" | "pending" | "active" | "canceled";
    agent_id: string;
    agent_name: string;
    attempts: number;
    last_call_id: string | null;
    duration: number | null;
    reason: "customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent" | "duplicate" | "batch_aborted" | null;
    error: string | null;
    metadata: Record<string, unknown>;
    created_at: string;
    updated_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  Readiness: {
    status: "ready" | "draining" | "unavailable";
    checks: Record<string, "ok" | "failed" | "timeout">;
  };
  Recording: {
    call_id: string;
    recording_url: string;
    duration: number;
    size_bytes: number;
    format: string;
    created_at: string;
    id: string;
    object: "recording";
    storage: string;
    sample_rate: number;
    channels: number;
    is_complete: boolean;
    gaps: ({
      start_ms: number;
      end_ms: number | null;
    })[];
    expires_at: string;
  };
  RecordingDeleted: {
    call_id: string;
    deleted: true;
  };
  RecordingEventData: {
    id: string;
    call_id: string;
    recording_url: string;
    duration: number;
    size_bytes: number;
    format: string;
    is_complete: boolean;
    gaps: ({
      start_ms: number;
      end_ms: number | null;
    })[];
    created_at: string;
  };
  RecurrencePreview: {
    cron_expression: string;
    timezone: string;
    description: string;
    next_executions: ({
      utc: string;
      local: string;
    })[];
    warnings?: (Schemas['RequestWarning'])[];
  };
  RecurrencePreviewRequest: {
    cron_expression: string;
    timezone?: string | null;
    after?: string | null;
    count?: number | null;
  };
  RecurringCallRequest: {
    agent_id: string;
    phone_number: string;
    from_phone?: string | null;
    timezone?: string | null;
    name?: string | null;
    description?: string | null;
    customer_context?: Record<string, unknown> | null;
    customer_data?: Record<string, unknown> | null;
    variables?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    retry_policy?: Schemas['RetryPolicyRequest'] | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    webhook_url?: string | null;
    webhook_events?: ("started" | "completed" | "failed")[] | null;
    grace_seconds?: number | null;
    cron_expression: string;
    max_occurrences?: number | null;
  };
  ReplyTimes: {
    p50: number | null;
    p95: number | null;
  };
  RequestWarning: {
    code: "field_not_known" | "variable_missing" | "number_not_allowed";
    field: string;
    message: string;
    count?: number;
    rows?: (number)[];
  };
  RetryPolicy: {
    max_retries: number;
    retry_delay: number;
    exponential_backoff: boolean;
    retry_on: ("timeout" | "no_answer" | "busy" | "voicemail" | "failed")[];
  };
  RetryPolicyRequest: {
    max_retries?: number | null;
    retry_delay?: number | null;
    exponential_backoff?: boolean | null;
    retry_on?: ("timeout" | "no_answer" | "busy" | "voicemail" | "failed")[] | null;
  };
  SayRequest: {
    text: string;
    interrupt?: boolean | null;
  };
  ScheduleNotificationData: {
    id: string;
    execution_id: string;
    schedule_id: string;
    name: string | null;
    agent_id: string;
    phone_number: string;
    scheduled_time: string;
    actual_time: string | null;
    call_id: string | null;
    status: string;
    duration?: number;
    error: string | null;
    attempt: number;
    trigger: "schedule" | "manual" | "retry";
    reason: string | null;
    late_ms: number | null;
    metadata: Record<string, unknown>;
    customer_context: Record<string, unknown>;
  };
  ScheduleUpdate: {
    agent_id?: string | null;
    phone_number?: string | null;
    from_phone?: string | null;
    scheduled_time?: string | null;
    cron_expression?: string | null;
    timezone?: string | null;
    max_occurrences?: number | null;
    name?: string | null;
    description?: string | null;
    customer_context?: Record<string, unknown> | null;
    customer_data?: Record<string, unknown> | null;
    variables?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    retry_policy?: Schemas['RetryPolicyRequest'] | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    webhook_url?: string | null;
    webhook_events?: ("started" | "completed" | "failed")[] | null;
    grace_seconds?: number | null;
  };
  ScheduledCall: {
    id: string;
    schedule_id: string;
    object: "scheduled_call";
    type: "one_time" | "recurring";
    status: "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "cancelled";
    agent_id: string;
    agent_name: string | null;
    phone_number: string;
    from_phone: string | null;
    scheduled_time: string | null;
    scheduled_at: string | null;
    dst_adjusted: "gap" | "overlap" | null;
    timezone: string;
    cron_expression: string | null;
    cron_description: string | null;
    max_occurrences: number | null;
    occurrences: number;
    next_execution_time: string | null;
    paused_next_execution_time: string | null;
    next_executions?: (string)[];
    last_execution_time: string | null;
    last_status: "in_progress" | "completed" | "failed" | "missed" | "skipped" | "cancelled" | null;
    call_id: string | null;
    name: string | null;
    description: string | null;
    customer_context: Record<string, unknown>;
    metadata: Record<string, unknown>;
    retry_policy: Schemas['RetryPolicy'];
    call_window: Schemas['CallWindow'] | null;
    grace_seconds: number;
    webhook_url: string | null;
    webhook_events: ("started" | "completed" | "failed")[];
    warnings?: (Schemas['RequestWarning'])[];
    webhook_secret?: string;
    paused_at: string | null;
    cancelled_at: string | null;
    created_at: string;
    updated_at: string;
  };
  ScheduledCallActed: {
    id: string;
    schedule_id: string;
    object: "scheduled_call";
    type: "one_time" | "recurring";
    status: "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "cancelled";
    agent_id: string;
    agent_name: string | null;
    phone_number: string;
    from_phone: string | null;
    scheduled_time: string | null;
    scheduled_at: string | null;
    dst_adjusted: "gap" | "overlap" | null;
    timezone: string;
    cron_expression: string | null;
    cron_description: string | null;
    max_occurrences: number | null;
    occurrences: number;
    next_execution_time: string | null;
    paused_next_execution_time: string | null;
    next_executions?: (string)[];
    last_execution_time: string | null;
    last_status: "in_progress" | "completed" | "failed" | "missed" | "skipped" | "cancelled" | null;
    call_id: string | null;
    name: string | null;
    description: string | null;
    customer_context: Record<string, unknown>;
    metadata: Record<string, unknown>;
    retry_policy: Schemas['RetryPolicy'];
    call_window: Schemas['CallWindow'] | null;
    grace_seconds: number;
    webhook_url: string | null;
    webhook_events: ("started" | "completed" | "failed")[];
    warnings?: (Schemas['RequestWarning'])[];
    webhook_secret?: string;
    paused_at: string | null;
    cancelled_at: string | null;
    created_at: string;
    updated_at: string;
    success: true;
    message: string;
  };
  ScheduledCallCancelled: {
    id: string;
    schedule_id: string;
    object: "scheduled_call";
    type: "one_time" | "recurring";
    status: "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "cancelled";
    agent_id: string;
    agent_name: string | null;
    phone_number: string;
    from_phone: string | null;
    scheduled_time: string | null;
    scheduled_at: string | null;
    dst_adjusted: "gap" | "overlap" | null;
    timezone: string;
    cron_expression: string | null;
    cron_description: string | null;
    max_occurrences: number | null;
    occurrences: number;
    next_execution_time: string | null;
    paused_next_execution_time: string | null;
    next_executions?: (string)[];
    last_execution_time: string | null;
    last_status: "in_progress" | "completed" | "failed" | "missed" | "skipped" | "cancelled" | null;
    call_id: string | null;
    name: string | null;
    description: string | null;
    customer_context: Record<string, unknown>;
    metadata: Record<string, unknown>;
    retry_policy: Schemas['RetryPolicy'];
    call_window: Schemas['CallWindow'] | null;
    grace_seconds: number;
    webhook_url: string | null;
    webhook_events: ("started" | "completed" | "failed")[];
    warnings?: (Schemas['RequestWarning'])[];
    webhook_secret?: string;
    paused_at: string | null;
    cancelled_at: string | null;
    created_at: string;
    updated_at: string;
    success: true;
    message: string;
    deleted: true;
  };
  ScheduledCallCompletedEvent: {
    event_type: "scheduled_call.completed";
    event: "completed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['ScheduleNotificationData'];
  };
  ScheduledCallFailedEvent: {
    event_type: "scheduled_call.failed";
    event: "failed";
    timestamp: string;
    webhook_id: string;
    data: Schemas['ScheduleNotificationData'];
  };
  ScheduledCallList: {
    object: "list";
    data: (Schemas['ScheduledCall'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  ScheduledCallRequest: {
    agent_id: string;
    phone_number: string;
    from_phone?: string | null;
    timezone?: string | null;
    name?: string | null;
    description?: string | null;
    customer_context?: Record<string, unknown> | null;
    customer_data?: Record<string, unknown> | null;
    variables?: Record<string, unknown> | null;
    metadata?: Record<string, unknown> | null;
    retry_policy?: Schemas['RetryPolicyRequest'] | null;
    call_window?: {
      start: string;
      end: string;
      timezone?: string | null;
      days?: (string)[] | null;
    } | null;
    webhook_url?: string | null;
    webhook_events?: ("started" | "completed" | "failed")[] | null;
    grace_seconds?: number | null;
    scheduled_time: string;
  };
  ScheduledCallStartedEvent: {
    event_type: "scheduled_call.started";
    event: "started";
    timestamp: string;
    webhook_id: string;
    data: Schemas['ScheduleNotificationData'];
  };
  ScheduledCallTriggered: {
    success: true;
    message: "scheduled call triggered";
    schedule_id: string;
    execution_id: string;
    call_id: string;
    status: "in_progress";
    triggered_at: string;
  };
  ScheduledCallUpdate: {
    name?: string | null;
    from_number?: string | null;
    scheduled_time?: string | null;
    timezone?: string | null;
    status?: "scheduled" | "pending" | "active" | "paused" | "cancelled" | "canceled" | "completed" | null;
  };
  SchedulerHealth: {
    status: "healthy" | "degraded" | "unhealthy";
    scheduled_calls_pending: number;
    scheduled_calls_total: number;
    last_execution: string | null;
    failed_executions_today: number;
    next_execution: string | null;
    lag_ms: number;
    timezone: string;
    reason: string | null;
  };
  Secret: {
    name: string;
    object: "secret";
    created_at: string;
    updated_at: string;
    last_used_at: string | null;
    warnings?: (Schemas['RequestWarning'])[];
  };
  SecretList: {
    object: "list";
    data: (Schemas['Secret'])[];
  };
  SecretRequest: {
    value: string;
  };
  SecretRotation: {
    overlap_seconds?: number | null;
  } | null;
  Settings: {
    object: "settings";
    data: ({
      name: string;
      value: string | null;
      is_set: boolean;
      is_secret: boolean;
      description: string;
    })[];
  };
  Setup: {
    object: "setup";
    items: ({
      name: "carrier" | "language_model" | "public_address" | "api_keys" | "phone_numbers" | "webhooks";
      status: "ready" | "trial" | "missing";
      detail: string;
      next: string | null;
    })[];
  };
  Suppression: {
    id: string;
    suppression_id: string;
    object: "suppression";
    phone_number: string;
    reason: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other";
    source: "api" | "import" | "call";
    note: string | null;
    call_id: string | null;
    expires_at: string | null;
    created_at: string;
    updated_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  SuppressionCheck: {
    object: "suppression_check";
    suppressed: number;
    results: ({
      phone_number: string;
      suppressed: boolean;
      suppression: Schemas['Suppression'] | null;
    })[];
    warnings?: (Schemas['RequestWarning'])[];
  };
  SuppressionCheckRequest: {
    phone_numbers: (string)[];
  };
  SuppressionCreate: {
    phone_number: string;
    reason?: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other" | null;
    note?: string | null;
    expires_at?: string | null;
  };
  SuppressionDeleted: {
    id: string;
    suppression_id: string;
    object: "suppression";
    phone_number: string;
    reason: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other";
    source: "api" | "import" | "call";
    note: string | null;
    call_id: string | null;
    expires_at: string | null;
    created_at: string;
    updated_at: string;
    deleted: true;
  };
  SuppressionImport: {
    phone_numbers: (string | Record<string, unknown>)[];
    dry_run?: boolean | null;
    reason?: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other" | null;
    note?: string | null;
    expires_at?: string | null;
  };
  SuppressionImportForm: {
    file: string;
    dry_run?: boolean;
    reason?: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other" | null;
    note?: string | null;
    expires_at?: string | null;
  };
  SuppressionImportResult: {
    object: "suppression_import";
    dry_run: boolean;
    valid: number;
    invalid: number;
    added: number;
    unchanged: number;
    errors: ({
      row: number;
      field: string;
      message: string;
    })[];
    warnings: (Schemas['RequestWarning'] | {
      row: number;
      field: string;
      message: string;
    })[];
  };
  SuppressionList: {
    object: "list";
    data: (Schemas['Suppression'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  TimezoneList: {
    object: "list";
    data: (string)[];
    has_more: false;
    next_cursor: null;
  };
  ToolCalledEventData: {
    call_id: string;
    agent_id: string;
    direction: "outbound" | "inbound";
    custom_metadata: Record<string, unknown>;
    tool_call_id: string;
    name: string;
    arguments: string | null;
    status: "ok" | "failed" | "timed_out" | "refused";
    result: string | null;
    started_at: string;
    latency_ms: number;
  };
  ToolTest: {
    tool: Record<string, unknown>;
    arguments?: Record<string, unknown>;
    variables?: Record<string, string>;
  };
  ToolTestResult: {
    status: string;
    result: string;
    request: {
      method: string;
      url: string;
      headers: Record<string, string>;
      body: string | null;
    } | null;
    response: {
      status: number;
      body: string;
    } | null;
    saved: Record<string, string>;
    warnings?: (Schemas['RequestWarning'])[];
  };
  Transcript: {
    call_id: string;
    transcript: (Schemas['TranscriptEntry'])[];
    tools: (Schemas['TranscriptTool'])[];
    id: string;
    object: "transcript";
    status: "pending" | "completed" | "disabled";
    language: string;
  };
  TranscriptEntry: {
    speaker: "agent" | "customer";
    text: string;
    timestamp: string;
    confidence: number;
    start_ms: number;
    end_ms: number;
    interrupted: boolean;
    language?: string;
    by?: "operator" | "person";
  };
  TranscriptEventData: {
    id: string;
    call_id: string;
    summary: string;
    sentiment?: string;
    intent?: string;
    actionable_items?: (string)[];
    keywords?: (string)[];
    confidence_score?: number;
    resolution_achieved?: boolean | null;
    answers?: Record<string, string>;
    call_from: string;
    call_to: string;
    direction: "outbound" | "inbound";
    status: string;
    ended_reason: string | null;
    custom_metadata: Record<string, unknown>;
    batch_id: string | null;
    schedule_id: string | null;
    transcript?: string;
    transcript_url: string;
    truncated?: true;
  };
  TranscriptTool: {
    role: "tool";
    id: string;
    name: string;
    arguments: string;
    status: string;
    result: string;
    latency_ms: number;
    timestamp: string;
    start_ms: number;
  };
  TransferRequest: {
    to_number: string;
    mode?: "cold" | "warm" | null;
    briefing?: string | null;
    ring_seconds?: number | null;
    stay?: boolean | null;
  };
  VoiceList: {
    object: "list";
    provider: string;
    data: ({
      id: string;
      name: string;
      language: string | null;
    })[];
  };
  VoicePreview: {
    text: string;
    voice_provider?: string;
    voice?: string | null;
    voice_settings?: {
      model?: string | null;
      speed?: number | null;
      normalise?: boolean | null;
      stability?: number | null;
      similarity_boost?: number | null;
      style?: number | null;
      instructions?: string | null;
    } | null;
    language?: string;
    quality?: "telephone" | "wide";
  };
  VoicemailHandling: {
    action: "hang_up";
  } | {
    action: "leave_message";
    message: string;
  } | {
    action: "continue";
  };
  Waveform: {
    duration_ms: number;
    person: (number)[];
    agent: (number)[];
  };
  Webhook: {
    id: string;
    webhook_id: string;
    object: "webhook";
    url: string;
    events: ("call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed")[];
    active: boolean;
    status: "active" | "inactive" | "disabled";
    disabled_reason: "gone" | "failing" | null;
    filters: {
      direction?: string;
      status?: string;
      min_duration?: number;
    };
    retry_policy: Schemas['WebhookRetryPolicy'];
    secret: string | null;
    secret_hint: string;
    secret_overlap_until: string | null;
    headers: Record<string, string>;
    description: string | null;
    last_delivery_at: string | null;
    last_delivery_status: string | null;
    created_at: string;
    updated_at: string;
    warnings?: (Schemas['RequestWarning'])[];
  };
  WebhookCreate: {
    url: string;
    events?: (string)[] | null;
    active?: boolean | null;
    filters?: Schemas['WebhookFilters'] | null;
    retry_policy?: Schemas['WebhookRetryPolicyChange'] | null;
    secret?: string | null;
    description?: string | null;
    headers?: Record<string, string> | null;
  };
  WebhookDelivery: {
    id: string;
    delivery_id: string;
    object: "webhook_delivery";
    webhook_id: string;
    event_id: string;
    event_type: string;
    url: string;
    status: "pending" | "retrying" | "delivered" | "failed" | "cancelled";
    success: boolean;
    attempt: number;
    max_attempts: number;
    status_code: number | null;
    response_status: number | null;
    response_body: string | null;
    response_time_ms: number | null;
    error: string | null;
    next_retry_at: string | null;
    timestamp: string;
    created_at: string;
    delivered_at: string | null;
    attempts: number;
    warnings?: (Schemas['RequestWarning'])[];
  };
  WebhookDeliveryAttempt: {
    attempt: number;
    started_at: string;
    response_time_ms: number;
    status_code: number | null;
    response_body: string | null;
    success: boolean;
    error: string | null;
  };
  WebhookDeliveryDetail: {
    id: string;
    delivery_id: string;
    object: "webhook_delivery";
    webhook_id: string;
    event_id: string;
    event_type: string;
    url: string;
    status: "pending" | "retrying" | "delivered" | "failed" | "cancelled";
    success: boolean;
    attempt: number;
    max_attempts: number;
    status_code: number | null;
    response_status: number | null;
    response_body: string | null;
    response_time_ms: number | null;
    error: string | null;
    next_retry_at: string | null;
    timestamp: string;
    created_at: string;
    delivered_at: string | null;
    request_headers: Record<string, string>;
    request_body: string;
    attempts: (Schemas['WebhookDeliveryAttempt'])[];
  };
  WebhookDeliveryList: {
    object: "list";
    data: (Schemas['WebhookDelivery'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  WebhookFilters: {
    direction?: "outbound" | "inbound" | null;
    status?: string | null;
    min_duration?: number | null;
  };
  WebhookList: {
    object: "list";
    data: (Schemas['Webhook'])[];
    has_more: boolean;
    next_cursor: string | null;
  };
  WebhookReplay: {
    since: string;
    until?: string | null;
    status?: "failed" | "cancelled" | "delivered" | null;
  };
  WebhookReplayed: {
    queued: number;
    warnings?: (Schemas['RequestWarning'])[];
  };
  WebhookRetryPolicy: {
    max_attempts: number;
    backoff_multiplier: number;
    initial_delay_seconds: number;
    max_delay_seconds: number;
  };
  WebhookRetryPolicyChange: {
    max_attempts?: number | null;
    backoff_multiplier?: number | null;
    initial_delay_seconds?: number | null;
    max_delay_seconds?: number | null;
  };
  WebhookTest: {
    event_type?: "call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed" | null;
  } | null;
  WebhookUpdate: {
    url?: string | null;
    events?: (string)[] | null;
    active?: boolean | null;
    filters?: Schemas['WebhookFilters'] | null;
    retry_policy?: Schemas['WebhookRetryPolicyChange'] | null;
    secret?: string | null;
    description?: string | null;
    headers?: Record<string, string> | null;
  };
}

export interface Operations {
  'GET /health': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Health'];
  };
  'GET /health/ready': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Readiness'];
  };
  'GET /v1/me': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Principal'];
  };
  'GET /v1/api-keys': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
    };
    body: undefined;
    response: Schemas['ApiKeyList'];
  };
  'POST /v1/api-keys': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['ApiKeyRequest'];
    response: Schemas['NewApiKey'];
  };
  'GET /v1/api-keys/{key_id}': {
    path: {
      key_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ApiKey'];
  };
  'DELETE /v1/api-keys/{key_id}': {
    path: {
      key_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['DeletedApiKey'];
  };
  'GET /metrics': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: unknown;
  };
  'GET /console/session': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ConsoleSession'];
  };
  'POST /console/session': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['ConsoleSignIn'];
    response: Schemas['ConsoleSession'];
  };
  'DELETE /console/session': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: undefined;
  };
  'POST /outbound-call': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['OutboundCallRequest'];
    response: Schemas['OutboundCallCreated'];
  };
  'GET /api/calls': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      status?: ("scheduled" | "queued" | "initiated" | "connecting" | "connected" | "active" | "ending" | "completed" | "failed" | "missed" | "cancelled")[];
      direction?: ("outbound" | "inbound")[];
      agent_id?: (string)[];
      batch_id?: (string)[];
      schedule_id?: (string)[];
      parent_call_id?: (string)[];
      to_phone?: (string)[];
      from_phone?: (string)[];
      phone?: (string)[];
      ended_reason?: ("customer_hangup" | "agent_hangup" | "api_disconnect" | "max_duration" | "silence_timeout" | "stream_disconnected" | "transferred" | "other_leg_ended" | "voicemail" | "busy" | "no_answer" | "ring_timeout" | "rejected" | "invalid_number" | "dial_timeout" | "provider_refused" | "provider_rate_limited" | "provider_unreachable" | "provider_error" | "uncertain" | "stream_not_opened" | "stream_error" | "speech_provider_error" | "agent_error" | "provider_not_configured" | "no_capacity" | "expired" | "damaged" | "server_shutdown" | "server_crash" | "policy_blocked" | "suppressed" | "outside_calling_window" | "attempt_cap" | "country_not_allowed" | "caller_id_not_yours" | "premium_number" | "cancelled" | "caller_hangup" | "lines_busy" | "no_agent")[];
      min_duration?: number;
      live?: boolean;
      attention?: boolean;
      q?: string;
      expand?: ("transcript")[];
    };
    body: undefined;
    response: Schemas['CallList'];
  };
  'POST /api/calls': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['CallRequest'];
    response: Schemas['CallCreated'];
  };
  'GET /api/calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: {
      expand?: ("agent" | "events" | "recording" | "turns")[];
    };
    body: undefined;
    response: Schemas['ExpandedCall'];
  };
  'PATCH /api/calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['CallUpdate'];
    response: Schemas['Call'];
  };
  'DELETE /api/calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallErased'];
  };
  'POST /api/calls/{call_id}/disconnect': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallDisconnected'];
  };
  'POST /api/calls/{call_id}/digits': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['DigitsRequest'];
    response: Schemas['DigitsSent'];
  };
  'POST /api/calls/{call_id}/mute': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/unmute': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/hold': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/resume': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/whisper': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/take-over': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/hand-back': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/say': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['SayRequest'];
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/context': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['ContextRequest'];
    response: Schemas['CallSteered'];
  };
  'POST /api/calls/{call_id}/transfer': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['TransferRequest'];
    response: Schemas['CallSteered'];
  };
  'GET /api/calls/{call_id}/transcript': {
    path: {
      call_id: string;
    };
    query: {
      format?: "json" | "text" | "srt" | "vtt";
    };
    body: undefined;
    response: Schemas['Transcript'];
  };
  'GET /api/calls/{call_id}/usage': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallUsage'];
  };
  'GET /api/calls/{call_id}/metrics': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallMetrics'];
  };
  'GET /api/calls/{call_id}/turns': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallTurns'];
  };
  'GET /api/calls/{call_id}/events': {
    path: {
      call_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    response: Schemas['CallEventList'];
  };
  'GET /api/calls/{call_id}/summary': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSummary'];
  };
  'POST /api/calls/{call_id}/analysis': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['CallSummary'];
  };
  'GET /api/stats': {
    path: Record<string, never>;
    query: {
      window?: "1h" | "24h" | "7d" | "30d";
    };
    body: undefined;
    response: Schemas['CallStats'];
  };
  'GET /api/overview': {
    path: Record<string, never>;
    query: {
      days?: number;
      timezone?: string;
    };
    body: undefined;
    response: Schemas['Overview'];
  };
  'GET /api/setup': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Setup'];
  };
  'GET /api/settings': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Settings'];
  };
  'GET /api/calls/{call_id}/recording': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Recording'];
  };
  'DELETE /api/calls/{call_id}/recording': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['RecordingDeleted'];
  };
  'GET /api/calls/{call_id}/recording/audio': {
    path: {
      call_id: string;
    };
    query: {
      token?: string;
      channel?: "person" | "agent" | "mono";
      download?: boolean;
    };
    body: undefined;
    response: unknown;
  };
  'GET /api/calls/{call_id}/waveform': {
    path: {
      call_id: string;
    };
    query: {
      buckets?: number;
    };
    body: undefined;
    response: Schemas['Waveform'];
  };
  'GET /api/agents': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      status?: ("active" | "inactive")[];
      q?: string;
    };
    body: undefined;
    response: Schemas['AgentList'];
  };
  'POST /api/agents': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['AgentCreate'];
    response: Schemas['Agent'];
  };
  'GET /api/agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Agent'];
  };
  'PUT /api/agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    query: Record<string, never>;
    body: Schemas['AgentUpdate'];
    response: Schemas['Agent'];
  };
  'PATCH /api/agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    query: Record<string, never>;
    body: Schemas['AgentUpdate'];
    response: Schemas['Agent'];
  };
  'DELETE /api/agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    query: {
      force?: boolean;
    };
    body: undefined;
    response: Schemas['DeletedAgent'];
  };
  'GET /api/agents/{agent_id}/prompt': {
    path: {
      agent_id: string;
    };
    query: {
      variables?: string;
      step?: string;
    };
    body: undefined;
    response: Schemas['AgentPrompt'];
  };
  'POST /api/agents/trials': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['AgentTrialCreate'];
    response: Schemas['AgentTrial'];
  };
  'PUT /api/secrets/{name}': {
    path: {
      name: string;
    };
    query: Record<string, never>;
    body: Schemas['SecretRequest'];
    response: Schemas['Secret'];
  };
  'DELETE /api/secrets/{name}': {
    path: {
      name: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['DeletedSecret'];
  };
  'GET /api/secrets': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['SecretList'];
  };
  'POST /api/tools/test': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['ToolTest'];
    response: Schemas['ToolTestResult'];
  };
  'GET /api/phone-numbers': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      agent_id?: (string)[];
    };
    body: undefined;
    response: Schemas['PhoneNumberList'];
  };
  'POST /api/phone-numbers': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['PhoneNumberCreate'];
    response: Schemas['PhoneNumber'];
  };
  'GET /api/phone-numbers/{number_id}': {
    path: {
      number_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['PhoneNumber'];
  };
  'PUT /api/phone-numbers/{number_id}': {
    path: {
      number_id: string;
    };
    query: Record<string, never>;
    body: Schemas['PhoneNumberUpdate'];
    response: Schemas['PhoneNumber'];
  };
  'PATCH /api/phone-numbers/{number_id}': {
    path: {
      number_id: string;
    };
    query: Record<string, never>;
    body: Schemas['PhoneNumberUpdate'];
    response: Schemas['PhoneNumber'];
  };
  'DELETE /api/phone-numbers/{number_id}': {
    path: {
      number_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['DeletedPhoneNumber'];
  };
  'GET /api/providers/{name}/voices': {
    path: {
      name: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['VoiceList'];
  };
  'POST /api/voices/preview': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['VoicePreview'];
    response: unknown;
  };
  'GET /api/providers': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Providers'];
  };
  'POST /batch/schedule-call': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['BatchRequest'];
    response: Schemas['BatchScheduled'];
  };
  'POST /api/batches/import': {
    path: Record<string, never>;
    query: {
      from_number?: string | null;
      scheduled_time?: string | null;
      name?: string | null;
      agent_id?: string | null;
      metadata?: string;
      timezone?: string | null;
      region?: string | null;
      max_concurrency?: number | null;
      budget_usd?: number | null;
      call_window?: string;
      retry_policy?: string;
      record_call?: boolean | null;
      record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
      enable_transcription?: boolean | null;
      transcription_provider?: string | null;
      timeout_seconds?: number | null;
      silence_timeout_seconds?: number | null;
      dry_run?: boolean;
    };
    body: unknown;
    response: Schemas['BatchPreflight'];
  };
  'POST /api/batches/preflight': {
    path: Record<string, never>;
    query: {
      from_number?: string | null;
      scheduled_time?: string | null;
      name?: string | null;
      agent_id?: string | null;
      metadata?: string;
      timezone?: string | null;
      region?: string | null;
      max_concurrency?: number | null;
      budget_usd?: number | null;
      call_window?: string;
      retry_policy?: string;
      record_call?: boolean | null;
      record_storage?: "local" | "s3" | "object" | "object_storage" | "cloud" | null;
      enable_transcription?: boolean | null;
      transcription_provider?: string | null;
      timeout_seconds?: number | null;
      silence_timeout_seconds?: number | null;
    };
    body: Schemas['BatchRequest'];
    response: Schemas['BatchPreflight'];
  };
  'GET /api/batches/{batch_id}/results.csv': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: unknown;
  };
  'GET /api/batches': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      status?: ("scheduled" | "initiated" | "in_progress" | "paused" | "completed" | "failed" | "cancelled")[];
      q?: string;
    };
    body: undefined;
    response: Schemas['BatchList'];
  };
  'GET /api/batches/{batch_id}': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Batch'];
  };
  'POST /api/batches/{batch_id}/pause': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Batch'];
  };
  'POST /api/batches/{batch_id}/resume': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Batch'];
  };
  'POST /api/batches/{batch_id}/cancel': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Batch'];
  };
  'POST /api/batches/{batch_id}/retry-failed': {
    path: {
      batch_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['BatchRequeued'];
  };
  'GET /batch/scheduled-calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Batch'] | Schemas['QueuedCall'];
  };
  'PUT /batch/scheduled-calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['ScheduledCallUpdate'];
    response: Schemas['BatchUpdated'] | Schemas['QueuedCallUpdated'];
  };
  'PATCH /batch/scheduled-calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: Schemas['ScheduledCallUpdate'];
    response: Schemas['BatchUpdated'] | Schemas['QueuedCallUpdated'];
  };
  'DELETE /batch/scheduled-calls/{call_id}': {
    path: {
      call_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['QueuedCallDeleted'];
  };
  'GET /batch/scheduled-calls': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
    };
    body: undefined;
    response: Schemas['QueuedCallList'];
  };
  'GET /api/batches/{batch_id}/calls': {
    path: {
      batch_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      status?: ("pending" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "cancelled")[];
    };
    body: undefined;
    response: Schemas['QueuedCallList'];
  };
  'GET /api/scheduled-calls': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      status?: ("pending" | "scheduled" | "in_progress" | "paused" | "completed" | "failed" | "cancelled")[];
      type?: ("one_time" | "recurring")[];
      agent_id?: (string)[];
      phone_number?: (string)[];
      name?: (string)[];
      from?: string;
      to?: string;
      q?: string;
      sort?: "created_at" | "next_execution_time";
    };
    body: undefined;
    response: Schemas['ScheduledCallList'];
  };
  'POST /api/scheduled-calls': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['ScheduledCallRequest'];
    response: Schemas['ScheduledCall'];
  };
  'POST /api/scheduled-calls/recurring': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['RecurringCallRequest'];
    response: Schemas['ScheduledCall'];
  };
  'GET /api/scheduled-calls/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ScheduledCall'];
  };
  'PUT /api/scheduled-calls/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: Schemas['ScheduleUpdate'];
    response: Schemas['ScheduledCall'];
  };
  'PATCH /api/scheduled-calls/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: Schemas['ScheduleUpdate'];
    response: Schemas['ScheduledCall'];
  };
  'DELETE /api/scheduled-calls/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    query: {
      hangup?: boolean;
      purge?: boolean;
    };
    body: undefined;
    response: Schemas['ScheduledCallCancelled'];
  };
  'POST /api/scheduled-calls/{schedule_id}/pause': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ScheduledCallActed'];
  };
  'POST /api/scheduled-calls/{schedule_id}/resume': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ScheduledCallActed'];
  };
  'POST /api/scheduled-calls/{schedule_id}/trigger': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ScheduledCallTriggered'];
  };
  'POST /api/scheduled-calls/{schedule_id}/run': {
    path: {
      schedule_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['ScheduledCallTriggered'];
  };
  'GET /api/scheduled-calls/{schedule_id}/history': {
    path: {
      schedule_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
    };
    body: undefined;
    response: Schemas['ExecutionHistory'];
  };
  'GET /api/scheduled-calls/{schedule_id}/next-runs': {
    path: {
      schedule_id: string;
    };
    query: {
      count?: number;
    };
    body: undefined;
    response: Schemas['NextRuns'];
  };
  'POST /api/scheduled-calls/preview': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['RecurrencePreviewRequest'];
    response: Schemas['RecurrencePreview'];
  };
  'GET /api/scheduler/health': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['SchedulerHealth'];
  };
  'GET /api/timezones': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['TimezoneList'];
  };
  'GET /api/suppressions': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      phone_number?: (string)[];
      reason?: ("opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other")[];
      source?: ("api" | "import" | "call")[];
    };
    body: undefined;
    response: Schemas['SuppressionList'];
  };
  'POST /api/suppressions': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['SuppressionCreate'];
    response: Schemas['Suppression'];
  };
  'GET /api/suppressions/{suppression_id}': {
    path: {
      suppression_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Suppression'];
  };
  'DELETE /api/suppressions/{suppression_id}': {
    path: {
      suppression_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['SuppressionDeleted'];
  };
  'POST /api/suppressions/check': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['SuppressionCheckRequest'];
    response: Schemas['SuppressionCheck'];
  };
  'POST /api/suppressions/import': {
    path: Record<string, never>;
    query: {
      dry_run?: boolean;
      reason?: "opt_out" | "do_not_call_registry" | "complaint" | "wrong_number" | "deceased" | "other" | null;
    };
    body: Schemas['SuppressionImport'];
    response: Schemas['SuppressionImportResult'];
  };
  'GET /api/numbers/{phone_number}': {
    path: {
      phone_number: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Number'];
  };
  'GET /api/numbers/{phone_number}/decisions': {
    path: {
      phone_number: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      verdict?: ("dial" | "defer" | "skip")[];
    };
    body: undefined;
    response: Schemas['NumberDecisionList'];
  };
  'POST /voice': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Record<string, unknown> | (Record<string, unknown>)[];
  };
  'POST /webhook/{provider}/{kind}': {
    path: {
      provider: string;
      kind: "incoming" | "answer" | "status" | "machine" | "stream-status" | "stream-ended" | "transfer" | "recording";
    };
    query: Record<string, never>;
    body: undefined;
    response: Record<string, unknown> | (Record<string, unknown>)[];
  };
  'POST /webhook/{provider}/{kind}/{dial_ref}': {
    path: {
      provider: string;
      kind: "incoming" | "answer" | "status" | "machine" | "stream-status" | "stream-ended" | "transfer" | "recording";
      dial_ref: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Record<string, unknown> | (Record<string, unknown>)[];
  };
  'GET /api/live': {
    path: Record<string, never>;
    query: {
      call_id?: string;
      batch_id?: string;
      types?: ("call.state" | "call.transcript" | "call.partial" | "call.step" | "call.tool" | "call.mode" | "call.transfer" | "batch.progress" | "delivery" | "sync")[];
      last_event_id?: string;
    };
    body: undefined;
    response: unknown;
  };
  'GET /v1/webhooks': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      active?: boolean;
      event?: ("call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed")[];
    };
    body: undefined;
    response: Schemas['WebhookList'];
  };
  'POST /v1/webhooks': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: Schemas['WebhookCreate'];
    response: Schemas['Webhook'];
  };
  'GET /v1/webhooks/{webhook_id}': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['Webhook'];
  };
  'PUT /v1/webhooks/{webhook_id}': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: Schemas['WebhookUpdate'];
    response: Schemas['Webhook'];
  };
  'PATCH /v1/webhooks/{webhook_id}': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: Schemas['WebhookUpdate'];
    response: Schemas['Webhook'];
  };
  'DELETE /v1/webhooks/{webhook_id}': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['DeletedWebhook'];
  };
  'POST /v1/webhooks/{webhook_id}/rotate-secret': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: Schemas['SecretRotation'];
    response: Schemas['Webhook'];
  };
  'GET /v1/webhooks/logs': {
    path: Record<string, never>;
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      event_type?: ("call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed" | "scheduled_call.started" | "scheduled_call.completed" | "scheduled_call.failed")[];
      status?: ("pending" | "retrying" | "delivered" | "failed" | "cancelled")[];
      call_id?: (string)[];
      webhook_id?: (string)[];
    };
    body: undefined;
    response: Schemas['WebhookDeliveryList'];
  };
  'GET /v1/webhooks/{webhook_id}/logs': {
    path: {
      webhook_id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      created_after?: string;
      created_before?: string;
      event_type?: ("call.initiated" | "call.connected" | "call.in_progress" | "call.completed" | "call.failed" | "call.missed" | "call.tool_called" | "call.transcript_ready" | "call.recording_ready" | "call.summary_ready" | "call.analysis_complete" | "batch.initiated" | "batch.in_progress" | "batch.completed" | "batch.failed" | "scheduled_call.started" | "scheduled_call.completed" | "scheduled_call.failed")[];
      status?: ("pending" | "retrying" | "delivered" | "failed" | "cancelled")[];
      call_id?: (string)[];
    };
    body: undefined;
    response: Schemas['WebhookDeliveryList'];
  };
  'GET /v1/webhooks/logs/{delivery_id}': {
    path: {
      delivery_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['WebhookDeliveryDetail'];
  };
  'POST /v1/webhooks/logs/{delivery_id}/resend': {
    path: {
      delivery_id: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: Schemas['WebhookDelivery'];
  };
  'POST /v1/webhooks/{webhook_id}/test': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: Schemas['WebhookTest'];
    response: Schemas['WebhookDelivery'];
  };
  'POST /v1/webhooks/{webhook_id}/replay': {
    path: {
      webhook_id: string;
    };
    query: Record<string, never>;
    body: Schemas['WebhookReplay'];
    response: Schemas['WebhookReplayed'];
  };
  'GET /v1/webhooks/event-types': {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: Schemas['EventTypeList'];
  };
}
